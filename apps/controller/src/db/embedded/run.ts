import { spawn } from "node:child_process";

/** A program call, ready for `spawn`. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

/**
 * The environment of the server's programs: nothing of the caller's but the search path, so that
 * no PGPORT, LD_PRELOAD or locale of the caller's shell changes them. Messages are English: the
 * launcher reads some of them.
 */
export const programEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
});

/**
 * Runs a program to its end.
 * @returns its exit code (-1 when it could not start or a signal ended it) and all it printed.
 */
export function run(call: ProgramCall): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(call.file, call.args, {
      ...call.ids,
      // A folder that every identity may enter; the caller's may be closed to it.
      cwd: "/",
      env: programEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ code: -1, output: `${output}${error.message}` }));
    child.once("close", (code) => resolve({ code: code ?? -1, output }));
  });
}
