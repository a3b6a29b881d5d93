import { join } from "node:path";
import { mustExec } from "./enter.ts";
import { diskOf, type Lab } from "./lab.ts";
import { logged, spawn } from "./spawn.ts";

export interface Capture {
  /** The pcap file, on the machine's disk. */
  readonly file: string;
  /** What was written so far, a line for each packet. @throws while the last one is half written. */
  read(): Promise<string[]>;
  /** Ends the capture. @returns a line for each packet, as tcpdump(8) prints it with -n. */
  stop(): Promise<string[]>;
}

let captures = 0;

/**
 * Records what passes an interface of a node (or of `inet`, where a port is named `cpe1-wan1`).
 * Packets sent after this resolves are seen.
 *
 * @param filter pcap-filter(7), such as "udp port 51820"; everything by default
 * @throws LabError when the interface or the filter is refused
 */
export async function capture(lab: Lab, node: string, port: string, filter = ""): Promise<Capture> {
  captures += 1;
  const name = `capture-${port}-${process.pid}-${captures}`;
  const file = join(diskOf(lab, node), `${name}.pcap`);
  const log = join(diskOf(lab, node), `${name}.log`);
  // As root, because the disk is root's; every packet is written when it is seen.
  const argv = ["tcpdump", "-Z", "root", "-n", "-U", "--immediate-mode", "-i", port, "-w", file];
  const running = await spawn(lab, node, filter === "" ? argv : [...argv, filter], { log });
  await logged(running, /listening on/);
  const read = async () => {
    const text = await mustExec(lab, node, ["tcpdump", "-n", "-r", file]);
    return text.split("\n").filter((line) => line !== "");
  };
  const stop = async () => {
    running.kill("SIGINT");
    await running.exited;
    return read();
  };
  return { file, read, stop };
}
