import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { failure } from "./command.ts";
import { mustExec } from "./enter.ts";
import { diskOf, type Lab } from "./lab.ts";
import { until } from "./process-identity.ts";
import { type LabProcess, logged, spawn } from "./spawn.ts";

export interface Capture {
  /** The pcap file, on the machine's disk. */
  readonly file: string;
  /** What was written so far, a line for each packet. @throws while the last one is half written. */
  read(): Promise<string[]>;
  /** Ends the capture. @returns a line for each packet, as tcpdump(8) prints it with -n. */
  stop(): Promise<string[]>;
}

/** What tcpdump(1) prints on SIGUSR1: packets written, and those that passed the filter. */
const counters = /(\d+) packets? captured[\s\S]*?(\d+) packets? received by filter/g;

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
  await until(() => catchesUsr1(running.pid), 60_000);
  const read = async () => {
    const text = await mustExec(lab, node, ["tcpdump", "-n", "-r", file]);
    return text.split("\n").filter((line) => line !== "");
  };
  const stop = async () => {
    await written(running);
    running.kill("SIGINT");
    await running.exited;
    return read();
  };
  return { file, read, stop };
}

/** True once SIGUSR1 no longer ends the process: see SigCgt in proc_pid_status(5). */
function catchesUsr1(pid: number): boolean {
  const [, mask = "0"] =
    /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (BigInt(`0x${mask}`) & (1n << BigInt(constants.signals.SIGUSR1 - 1))) !== 0n;
}

/**
 * Waits until tcpdump has written all that the kernel queued for it: that would be lost with it.
 * @throws LabError when it never has; so on `lo`, where the kernel counts a packet twice
 */
async function written(tcpdump: LabProcess, timeout = 60_000): Promise<void> {
  const end = performance.now() + timeout;
  for (let request = 1; ; request += 1) {
    tcpdump.kill("SIGUSR1");
    const answered = new RegExp(`(?:${counters.source}[\\s\\S]*?){${request}}`);
    const text = await logged(tcpdump, answered, timeout);
    const [, captured, received] = [...text.matchAll(counters)].at(-1) ?? [];
    if (captured === received) return;
    if (performance.now() > end) {
      throw failure(tcpdump.node, tcpdump.argv, `wrote ${captured} of ${received} packets`, text);
    }
  }
}
