/** What a session needs of the process that it is part of. */
import type { DeliveryTimes } from "#domains/delivery/deliver/public.ts";
import type { Clock, Log, Random } from "./clock.ts";
import type { FleetIdentity } from "./identity.ts";
import type { MeasureBuffer } from "./measures.ts";
import type { FlowHost } from "./own-flows.ts";
import type { MetricHost } from "./own-metrics.ts";
import type { GatewayStore, StoreAway } from "./store.ts";

export interface SessionTimes extends DeliveryTimes {
  /** Told to devices in the welcome. */
  readonly heartbeatSeconds: number;
  /** Ms from the first report in which a device reports the outcomes of states of earlier sockets. */
  readonly settleMs: number;
}

/** What all sockets of a process share. */
export interface SessionHost<Session> extends MetricHost, FlowHost {
  /** Names this process in node_status. */
  readonly id: string;
  readonly store: GatewayStore;
  readonly identity: FleetIdentity;
  readonly logger: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly times: SessionTimes;
  /** What devices measure of links; the host writes it. */
  readonly measures: MeasureBuffer;
  /** Ms on a clock that no time change moves. */
  now(): number;
  /** Ms after which a device that cannot be served now may retry. */
  pauseMs(): number;
  installationEpoch(): Promise<number>;
  /** Runs a proof if not too many are under way. */
  admit(proof: () => Promise<void>): Promise<void>;
  /** The device has proven itself: older sockets of it end. */
  proven(session: Session, node: number): void;
  /** A socket that a newer one replaces still answers: another device has the same key. */
  replacedAlive(session: Session): void;
  /** Called once by every session at its end, and by one that proved itself after its end. */
  ended(session: Session): void;
  /** A change row was written. */
  changed(): void;
  /** A call did not reach the store. @returns resolves once it answers again, or all is closed */
  storeAway(error: StoreAway): Promise<void>;
}
