import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

/** A command line in a terminal of its own, as a person starts it. */
export interface Terminal {
  /** All that it printed, without colours. */
  text(): string;
  /** The first group of the pattern, or the match, once it was printed; throws at the end of time. */
  says(pattern: RegExp, ms: number): Promise<string>;
  /** Its exit code; throws at the end of time. */
  ends(ms: number): Promise<number>;
  /** Presses Ctrl-C and waits for the end, two minutes at most. */
  interrupt(): Promise<number>;
  /** Ends what may be left of it. */
  kill(): void;
}

const ctrlC = "\x03";
const endMs = 120_000;

/** Runs a command line in a pseudo-terminal, which script(1) of util-linux makes. */
export function inTerminal(line: string, cwd: string, env: Record<string, string>): Terminal {
  const child: ChildProcess = spawn("script", ["-qefc", line, "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  const plain = (): string => stripVTControlCharacters(text);
  const news = new Set<() => void>();
  const notify = (): void => {
    for (const one of news) one();
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    notify();
  });
  // Not "exit": what it printed last may still be on its way.
  let isClosed = false;
  child.once("close", () => {
    isClosed = true;
    notify();
  });
  const until = <T>(read: () => T | undefined, what: string, ms: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late);
        news.delete(see);
      };
      const fail = (why: string): void => {
        end();
        reject(new Error(`${line}: ${what}: ${why}: ${plain().slice(-1_000)}`));
      };
      const see = (): void => {
        const found = read();
        if (found !== undefined) {
          end();
          resolve(found);
        } else if (isClosed) fail(`it ended with code ${child.exitCode}`);
      };
      const late = setTimeout(() => fail(`not within ${ms / 1000} s`), ms);
      news.add(see);
      see();
    });
  const ends = (ms: number) => until(() => child.exitCode ?? undefined, "did not end", ms);
  const found = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(plain());
    return match ? (match[1] ?? match[0]) : undefined;
  };
  return {
    text: plain,
    says: (pattern, ms) => until(() => found(pattern), `did not say ${pattern}`, ms),
    ends,
    interrupt() {
      child.stdin?.write(ctrlC);
      return ends(endMs);
    },
    kill: () => {
      if (child.exitCode === null) child.kill("SIGHUP");
    },
  };
}
