// Finds the manufacturer at the beginning of the name of a model.

/** As firmware has them; those with more words come first. */
const makers = [
  'Acer',
  'Apple Inc.',
  'Apple',
  'ASRock',
  'ASUSTeK COMPUTER INC.',
  'ASUSTeK Computer Inc.',
  'ASUSTeK',
  'ASUS',
  'Bochs',
  'Dell Inc.',
  'Dell',
  'Dynabook',
  'FUJITSU CLIENT COMPUTING LIMITED',
  'FUJITSU SIEMENS',
  'FUJITSU',
  'Getac',
  'Gigabyte Technology Co., Ltd.',
  'GIGABYTE',
  'Google',
  'Hewlett-Packard',
  'Hewlett Packard',
  'HP',
  'HUAWEI',
  'innotek GmbH',
  'Intel Corporation',
  'Intel(R) Client Systems',
  'LENOVO',
  'LG Electronics',
  'MEDION',
  'Micro-Star International Co., Ltd.',
  'Micro-Star International',
  'Microsoft Corporation',
  'MSI',
  'Panasonic Corporation',
  'QEMU',
  'Raspberry Pi',
  'Red Hat',
  'SAMSUNG ELECTRONICS CO., LTD.',
  'Samsung',
  'Shuttle Inc.',
  'Sony Corporation',
  'Supermicro',
  'SLIMBOOK',
  'TOSHIBA',
  'VMware, Inc.',
  'Wortmann AG',
  'Xen',
]

/** Both are one text in what agents report. Without a known manufacturer the whole text is the model. */
export function splitModel(text: string): { manufacturer?: string; model?: string } {
  const lower = text.toLowerCase()
  const maker = makers.find(name => lower === name.toLowerCase() || lower.startsWith(`${name.toLowerCase()} `))
  if (maker === undefined) return text === '' ? {} : { model: text }
  const model = text.slice(maker.length).trim()
  return { manufacturer: text.slice(0, maker.length), ...(model !== '' && { model }) }
}
