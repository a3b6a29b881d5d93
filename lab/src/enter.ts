import { type CommandOptions, type CommandResult, command, mustCommand } from "./command.ts";
import { type Lab, machineOf } from "./lab.ts";

/**
 * How much of a machine a command sees. `machine`: all of it. `network`: its network only; files,
 * processes and users are the root namespace's (the controller's place: its stores and its build
 * stay where they are).
 */
export type Reach = "machine" | "network";

/** The command line that runs `argv` in a node. @throws LabError when the node is not up. */
export function entering(
  lab: Lab,
  node: string,
  argv: readonly string[],
  { reach = "machine", cwd = "/" }: { reach?: Reach; cwd?: string } = {},
): string[] {
  const target = ["nsenter", "-t", String(machineOf(lab, node).pid), "-n"];
  if (reach === "network") return [...target, `--wd=${cwd}`, "--", ...argv];
  return [...target, "-m", "-p", "-u", `--wdns=${cwd}`, "--", ...argv];
}

const prefixed = (lab: Lab, node: string, argv: readonly string[], options: CommandOptions) => {
  const { cwd, ...rest } = options;
  return [node, entering(lab, node, argv, cwd === undefined ? {} : { cwd }), rest, argv] as const;
};

/**
 * Runs a command in a node to its end.
 * @throws LabError when the node is down or the command takes too long; not for its exit status
 */
export const exec = async (
  lab: Lab,
  node: string,
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> => command(...prefixed(lab, node, argv, options));

/** The same for a command that must succeed. @returns stdout. @throws LabError on another status. */
export const mustExec = async (
  lab: Lab,
  node: string,
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<string> => mustCommand(...prefixed(lab, node, argv, options));

/** Runs lines of iproute2 in a node, in one go. @throws LabError with the line that was refused. */
export const ipBatch = async (lab: Lab, node: string, lines: readonly string[]): Promise<void> => {
  await mustExec(lab, node, ["ip", "-batch", "-"], { input: `${lines.join("\n")}\n` });
};
