/** A router of a customer in a LAN: FRR's own daemons in a namespace machine, with the configuration that a test gives. */
import type { NetnsMachine } from "./host.ts";

const dir = "/run/router";
const programs = "/usr/lib/frr";

/** Starts the daemons, without any configuration. */
export const startRouter = async (
  { run }: NetnsMachine,
  daemons: readonly string[],
): Promise<void> => {
  await run(["install", "-d", "-m", "755", "-o", "frr", "-g", "frr", dir]);
  for (const name of ["zebra", ...daemons]) {
    await run([
      "install",
      "-m",
      "640",
      "-o",
      "frr",
      "-g",
      "frr",
      "/dev/null",
      `${dir}/${name}.conf`,
    ]);
    await run([
      `${programs}/${name}`,
      "-d",
      "-u",
      "frr",
      "-g",
      "frr",
      "-z",
      `${dir}/zserv.api`,
      "-i",
      `${dir}/${name}.pid`,
      "--vty_socket",
      dir,
      "-f",
      `${dir}/${name}.conf`,
      "-P",
      "0",
    ]);
  }
};

/** Runs commands of its terminal, and returns what they show. */
export const onRouter = ({ run }: NetnsMachine, ...commands: string[]): Promise<string> =>
  run(["vtysh", "--vty_socket", dir, ...commands.flatMap((command) => ["-c", command])]);
