/** What all drivers of one machine share. */
import type { Log } from "#edge/log.ts";
import type { Daemons } from "./daemon.ts";
import type { Run } from "./exec.ts";
import type { Repairs } from "./repairs.ts";

export interface Device {
  readonly run: Run;
  readonly log: Log;
  readonly daemons: Daemons;
  /** What was started again is noted here, for the controller. */
  readonly repairs: Repairs;
  /** Survives a reboot. */
  readonly dataDir: string;
  /** Emptied by a reboot, as the kernel's state is. */
  readonly runDir: string;
  /** Host names or addresses of controllers: the management path. */
  readonly controllers: readonly string[];
  /** Networks that may reach SSH of the device by its lines. */
  readonly manageFrom: readonly string[];
  /** Raw private key, base64. Never in an argument or a log. */
  readonly tunnelPrivateKey: string;
  /** Wall clock, ms since 1970: decides which time groups are active. */
  readonly now: () => number;
  /** IANA name; nft turns local time of rules into UTC by it. */
  readonly siteTz: string | null;
}

/** All that a driver owns in the kernel and the kernel can label carries this route protocol. */
export const ownProtocol = "99";
