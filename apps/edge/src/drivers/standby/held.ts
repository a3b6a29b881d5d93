/** Addresses that VRRP gives and takes: what sets those of the state leaves them alone. */
import type { Device } from "#drivers/device.ts";
import type { Held } from "./plan.ts";

export const daemon = "standby";

export interface StandbyRecord {
  readonly config: string;
  readonly held: readonly Held[];
}

/** Whether an address (address/length) of an interface is in the hands of VRRP while its program is known. */
export const heldBy = ({ daemons }: Pick<Device, "daemons">) => {
  const record = daemons.record(daemon)?.want as StandbyRecord | undefined;
  const held = new Set(record?.held.map((one) => `${one.interfaceName} ${one.address}`));
  return (interfaceName: string, address: string): boolean =>
    held.has(`${interfaceName} ${address}`);
};
