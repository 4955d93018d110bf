import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BINARY =
  process.env.ONCEBIN_BINARY ?? fileURLToPath(new URL('../../target/debug/oncebin', import.meta.url));

// Node.js 20 reads no SQLite itself.
const COUNT_PASTES = `
import pathlib, sqlite3, sys
shards = pathlib.Path(sys.argv[1], "shards").resolve().glob("*.sqlite")
count = "select count(*) from paste"
print(sum(sqlite3.connect(f"{shard.as_uri()}?mode=ro", uri=True).execute(count).fetchone()[0] for shard in shards))
`;

const RUN_ON_SHARDS = `
import pathlib, sqlite3, sys
for shard in pathlib.Path(sys.argv[1], "shards").glob("*.sqlite"):
    connection = sqlite3.connect(shard, timeout=30)
    connection.executescript(sys.argv[2])
    connection.close()
`;

// The settings of whoever runs the tests must not reach the server under test.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('ONCEBIN_')),
);

/** An oncebin with its own port and data folder. It keeps both when it is stopped and started again. */
export class Oncebin {
  private process?: ChildProcess;
  private listen = '127.0.0.1:0';

  private constructor(
    private readonly folder: string,
    private readonly logFile: string,
    private readonly moreFlags: string[],
  ) {}

  /** One with nothing stored, not started yet. Its log goes to `logFile`. */
  static async create(logFile: string, moreFlags: string[] = []): Promise<Oncebin> {
    await mkdir(path.dirname(logFile), { recursive: true });
    return new Oncebin(await mkdtemp(path.join(tmpdir(), 'oncebin-')), logFile, moreFlags);
  }

  /** The address of its pages, without a slash at the end. */
  get url(): string {
    return `http://${this.listen}`;
  }

  /** Starts it: the first time on a free port, later at the same address and on what it has stored. */
  async start(): Promise<void> {
    const flags = ['--listen', this.listen, '--admin-listen', '127.0.0.1:0'];
    flags.push('--data', this.folder, '--miss-rate', 'off', ...this.moreFlags);
    if (!flags.includes('--create-rate')) flags.push('--create-rate', 'off');
    this.process = spawn(BINARY, ['serve', ...flags], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.listen = await this.address(this.process);
  }

  /** How many pastes its shards hold. Objects would tell nothing: one may be an orphan. */
  async pastes(): Promise<number> {
    const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', COUNT_PASTES, this.folder]);
    return Number(stdout);
  }

  /** Runs statements on each of its shards. */
  async runOnShards(sql: string): Promise<void> {
    await promisify(execFile)('/usr/bin/python3', ['-c', RUN_ON_SHARDS, this.folder, sql]);
  }

  /** Stops it: in good order, or with `SIGKILL` as a crash would. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const process = this.process;
    this.process = undefined;
    if (process?.kill(signal)) await once(process, 'exit');
  }

  /** Stops it and removes what it had stored. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
  }

  /** The address it says it listens on. Its log is read to the end, or the server would come to a halt. */
  private address(process: ChildProcess): Promise<string> {
    const log = createWriteStream(this.logFile, { flags: 'a' });
    return new Promise((resolve, reject) => {
      createInterface(process.stderr!).on('line', (line) => {
        log.write(`${line}\n`);
        const address = /listening on http:\/\/([\d.]+:\d+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
      process.once('error', reject);
      process.once('exit', () => reject(new Error(`${BINARY} ended: ${this.logFile} tells why`)));
    });
  }
}
