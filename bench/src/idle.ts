/** Whether the machine is free for what takes all of its cores. */
import { cpus, loadavg } from "node:os";

/** Seconds of many programs on few cores say nothing with anything else beside them. */
export const isMachineBusy = (): boolean => (loadavg()[0] ?? 0) > cpus().length / 2;
