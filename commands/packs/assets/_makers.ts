// Finds the manufacturer at the beginning of the name of a model.

/** As firmware has them. */
const makers = (
  'Acer|Apple Inc.|ASRock|ASUSTeK COMPUTER INC.|ASUS|Dell Inc.|FUJITSU CLIENT COMPUTING LIMITED|FUJITSU|' +
  'Gigabyte Technology Co., Ltd.|Google|Hewlett-Packard|HP|HUAWEI|innotek GmbH|Intel Corporation|LENOVO|' +
  'LG Electronics|MEDION|Micro-Star International Co., Ltd.|Microsoft Corporation|MSI|Panasonic Corporation|' +
  'QEMU|Raspberry Pi|Red Hat|SAMSUNG ELECTRONICS CO., LTD.|Samsung|Shuttle Inc.|Sony Corporation|Supermicro|' +
  'TOSHIBA|VMware, Inc.|Wortmann AG'
).split('|')

/** Both are one text in what agents report. Without a known manufacturer the whole text is the model. */
export function splitModel(text = ''): { manufacturer?: string; model?: string } {
  const lower = text.toLowerCase()
  const maker = makers.find(name => `${lower} `.startsWith(`${name.toLowerCase()} `))
  if (maker === undefined) return text === '' ? {} : { model: text }
  const model = text.slice(maker.length).trim()
  return { manufacturer: text.slice(0, maker.length), ...(model !== '' && { model }) }
}
