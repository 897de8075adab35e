// Who asked for a job: in its record, its events and the log.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
await lab.addComputer('127.0.0.2')

const test = suite('who asked for a job')
test.after(() => lab.stop())

test('who asked is with the job in /jobs, and in the log lines of the write and of the end of the job', async () => {
  const { token } = (await lab.call('POST /token/add', { name: 'lab', role: 'operate' })).json
  const created = lab.event('job-created')
  const finished = lab.event('job-finished')
  await lab.call('POST /poweroff', { clients: ['127.0.0.2'] }, { Authorization: token })
  const { job } = await created
  equal([(await created).by, (await finished).by], ['token lab', 'token lab'])
  is((await lab.call(`GET /jobs/${job}`)).json.by, 'token lab')
  is((await lab.call('GET /jobs?limit=1')).json.jobs[0].by, 'token lab')
  await lab.logged(/POST \/poweroff by token lab from 127\.0\.0\.1: 200/)
  await lab.logged(/job \d+ poweroff, by token lab from 127\.0\.0\.1: 1 skipped/)
})

test.run()
