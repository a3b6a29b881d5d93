/** Statements of the gateway about devices with an open socket. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { StateHead, StateRevision } from "@weft/contract/device/v1/state.ts";
import type {
  ConfirmRequest,
  DeliveryTimes,
  DeviceView,
} from "#domains/delivery/deliver/public.ts";
import type { WaitingCommand } from "#domains/devices/command/public.ts";
import type { FlowRecording } from "#domains/devices/node-config/public.ts";
import type { Device, OpenSocket } from "#domains/devices/presence/public.ts";
import type { LinkSample, OwnMetrics } from "#domains/overlay/link/public.ts";

/**
 * What a socket has to be notified of: its device was `rejected`, its key is `quarantined`, a newer socket
 * elsewhere `replaced` it, or a state is `due`.
 */
export type WatchVerdict = "rejected" | "quarantined" | "removed" | "replaced" | "due";

/**
 * The store was not reached, or the connection was lost on the way: the same call may do later, and
 * what it was to write may be written already.
 */
export class StoreAway extends Error {
  constructor(cause: unknown) {
    super("the database is away", { cause });
    this.name = "StoreAway";
  }
}

/**
 * Each call is one transaction: it is answered once all of it is committed. One that fails may have
 * been committed nevertheless, when only the answer was lost.
 * @throws StoreAway for a store that does not answer
 */
export interface GatewayStore {
  installationEpoch(): Promise<number>;
  /** Null: no such device, whatever its approval. */
  deviceIdentity(
    node: number,
    publicKey: string,
  ): Promise<{ readonly enterpriseId: number; readonly sn: string; readonly state: string } | null>;
  /** The key that may confirm for a node; null: none is approved. */
  confirmKey(node: number): Promise<string | null>;
  /** @param address where the socket comes from */
  openPresence(device: Device, gateway: string, address: string): Promise<number>;
  /**
   * A socket that still answered was replaced by a newer one of its key.
   * @param from address of the older one
   * @returns true when this made the two a clone, whose key is quarantined now (clones.ts)
   */
  noteReplacement(device: Device, from: string): Promise<boolean>;
  /** @returns nodes whose rows others hold: of these nothing is written */
  writeSeen(sockets: readonly OpenSocket[], isOnline: boolean): Promise<readonly number[]>;
  keepReport(device: Device, epoch: number, report: MessageFromEdge<"report">): Promise<boolean>;
  keepHeartbeat(
    device: Device,
    epoch: number,
    heartbeat: MessageFromEdge<"heartbeat">,
  ): Promise<void>;
  /**
   * What it may send metrics of.
   * @param links that it sent metrics of
   * @param objects that it sent hits of, by family and id: "xaclrules 7"
   */
  ownMetrics(
    node: number,
    links: readonly number[],
    objects: readonly string[],
  ): Promise<OwnMetrics & { readonly objects: ReadonlySet<string> }>;
  /** What is kept of the flows that it records. */
  flowRecording(node: number): Promise<FlowRecording>;
  /** @returns nodes that named a link of other nodes: nothing of them is written */
  keepMeasures(measures: readonly LinkSample[]): Promise<readonly number[]>;
  keepTransition(device: Device, transition: MessageFromEdge<"transition">): Promise<void>;
  keepRepairs(device: Device, repairs: MessageFromEdge<"repairs">): Promise<void>;
  keepLeases(device: Device, leases: MessageFromEdge<"leases">): Promise<void>;
  keepPaths(device: Device, paths: MessageFromEdge<"paths">): Promise<void>;
  keepMoves(device: Device, moves: MessageFromEdge<"moves">): Promise<void>;
  keepIpv6(device: Device, ipv6: MessageFromEdge<"ipv6">): Promise<void>;
  keepStandby(device: Device, standby: MessageFromEdge<"standby">): Promise<void>;
  /** @param pinned newest key of the controller that the device holds */
  keepPin(device: Device, pinned: string): Promise<void>;
  takeNext(
    node: number,
    view: DeviceView,
    times: DeliveryTimes,
  ): Promise<StateHead | StateRevision | null>;
  keepOutcome(node: number, outcome: MessageFromEdge<"outcome">): Promise<void>;
  keepConfirmed(request: ConfirmRequest): Promise<void>;
  readSections(
    node: number,
    hashes: readonly string[],
  ): Promise<readonly { readonly hash: string; readonly text: string }[]>;
  /**
   * Which of the nodes are members of spaces that have later lists of networks.
   * @param since `last` of the call before; null: it is the first one
   */
  revisedNodes(
    nodes: readonly number[],
    since: number | null,
  ): Promise<{ readonly last: number; readonly nodes: readonly number[] }>;
  /** What waits for these sockets; each command is given once. */
  takeCommands(sockets: readonly OpenSocket[]): Promise<readonly WaitingCommand[]>;
  keepAnswer(node: number, answer: MessageFromEdge<"answer">): Promise<void>;
  /** Sockets that need no notification are left out. */
  watch(
    sockets: readonly (OpenSocket & { readonly publicKey: string })[],
    times: DeliveryTimes,
  ): Promise<readonly { readonly node: number; readonly verdict: WatchVerdict }[]>;
}
