/**
 * The gateway's store without a database, for the simulation: the same calls with the same effects
 * on the same rows. `gateway/store.test.ts` runs both side by side, so that they stay the same.
 * Each call is one step that nothing interrupts; measures are not kept.
 */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import {
  compareStates,
  type DesiredState,
  type StateHead,
  type StateId,
  toSections,
} from "@weft/contract/device/v1/state.ts";
import { type ConfirmRequest, judgeConfirm } from "#domains/delivery/deliver/confirm.ts";
import {
  type DeliveryTimes,
  type DeviceView,
  judge,
  outcomesBefore,
} from "#domains/delivery/deliver/delivery.ts";
import { sha256 } from "#domains/delivery/publish/compile-node.ts";
import { addReplacement, type Replacement } from "#gateway/clones.ts";
import { Refused } from "#gateway/refusal.ts";
import type { Device } from "#gateway/reports.ts";
import type { GatewayStore, OpenSocket, WatchVerdict } from "#gateway/store.ts";

type Outcome = MessageFromEdge<"outcome">["outcome"];
type Running = MessageFromEdge<"report">["running"];

export interface StateRow {
  readonly head: StateHead;
  readonly digest: string;
  outcome: Outcome | "waiting" | "held" | "delivered" | "confirmed" | "superseded";
  /** It waits for an operator, or did so when a newer one came. */
  held: boolean;
  reason: string | null;
  noEcho: boolean;
  stopped: boolean;
  retries: number;
  deliveredAt: number | null;
  endedAt: number | null;
  /** Status of its task: 0 not started, 1 completed, 2 failed, 3 cancelled, 4 pulled. */
  task: number;
}

export interface StatusRow {
  online: boolean;
  gateway: string;
  sessionEpoch: number;
  running: Running;
  tunnelKey: string | null;
  addresses: string;
  socketAddress: string;
  replacements: readonly Replacement[];
}

interface NodeRows {
  readonly identity: { publicKey: string; enterpriseId: number; sn: string; state: string };
  readonly states: StateRow[];
  readonly sections: Map<string, unknown>;
  status: StatusRow | null;
}

export class MemoryRows {
  readonly nodes = new Map<number, NodeRows>();
  epoch = 1;
  readonly #now: () => number;

  /** @param now ms; the clock of the database */
  constructor(now: () => number) {
    this.#now = now;
  }

  addNode(node: number, identity: NodeRows["identity"]): void {
    this.nodes.set(node, { identity, states: [], sections: new Map(), status: null });
  }

  of(node: number): NodeRows {
    const found = this.nodes.get(node);
    if (!found) throw new Error(`no node ${node}`);
    return found;
  }

  newest(node: number): StateRow | undefined {
    return this.of(node).states.at(-1);
  }

  /** The one that may go to the device: of this epoch, and not kept back. */
  sendable(node: number): StateRow | undefined {
    const { epoch } = this;
    return this.of(node).states.findLast(({ head, held }) => head.epoch === epoch && !held);
  }

  find(node: number, id: StateId): StateRow | undefined {
    return this.of(node).states.find(({ head }) => compareStates(head, id) === 0);
  }

  /**
   * What the compiler does with a new state. Null: it equals the newest one.
   * @param held it has to wait for an operator
   */
  publish(node: number, state: DesiredState, held = false): StateHead | null {
    const { states, sections: kept } = this.of(node);
    const sections: Record<string, string> = {};
    for (const [name, content] of toSections(state)) {
      const hash = sha256(content);
      kept.set(hash, content);
      sections[name] = hash;
    }
    const newest = states.at(-1);
    const isSame = newest && sha256(newest.head.sections) === sha256(sections);
    if (isSame && newest.outcome !== "superseded" && newest.head.epoch === this.epoch) return null;
    const given = held ? ["held"] : ["waiting", "held"];
    for (const row of states.filter(({ outcome }) => given.includes(outcome))) {
      this.#supersede(row);
      if (row.task === 0) row.task = 3;
    }
    const head = { epoch: this.epoch, serial: (newest?.head.serial ?? 0) + 1, sections };
    states.push({
      ...{ head, digest: sha256(head), outcome: held ? "held" : "waiting", reason: null, held },
      ...{ noEcho: false, stopped: false, retries: 0, deliveredAt: null, endedAt: null, task: 0 },
    });
    return head;
  }

  isRetryDue(row: StateRow, times: DeliveryTimes): boolean {
    const { outcome, noEcho, stopped, retries, endedAt } = row;
    if (outcome !== "reverted" || retries > 0 || endedAt === null) return false;
    if (!noEcho && !stopped) return false;
    return endedAt <= this.#now() - (stopped ? times.retryAfterStopMs : times.retryAfterMs);
  }

  #supersede(row: StateRow): void {
    row.outcome = "superseded";
    row.endedAt = this.#now();
  }

  takeNext(node: number, view: DeviceView, times: DeliveryTimes): StateHead | null {
    const newest = this.sendable(node);
    if (!newest) return null;
    const retryable = this.isRetryDue(newest, times);
    const { head, digest, outcome } = newest;
    const asked = { epoch: head.epoch, serial: head.serial, digest, outcome, retryable };
    const verdict = judge(asked, view, this.#isBusy(node, head, view, times));
    if (verdict === "nothing") return null;
    if (verdict === "deliver") this.#markDelivered(node, newest, retryable);
    return head;
  }

  #isBusy(node: number, newest: StateId, { sent }: DeviceView, times: DeliveryTimes): boolean {
    if (sent === null || compareStates(sent, newest) === 0) return false;
    const row = this.find(node, sent);
    return (
      row !== undefined &&
      (row.deliveredAt ?? Number.NEGATIVE_INFINITY) > this.#now() - times.silentMs &&
      (row.outcome === "delivered" || row.outcome === "applied")
    );
  }

  #markDelivered(node: number, row: StateRow, retryable: boolean): void {
    row.outcome = "delivered";
    row.deliveredAt = this.#now();
    row.endedAt = null;
    row.reason = null;
    row.noEcho = false;
    row.stopped = false;
    row.retries += retryable ? 1 : 0;
    row.task = 4;
    for (const older of this.#before(node, row.head, ["waiting", "delivered", "applied"])) {
      this.#supersede(older);
      older.task = 3;
    }
  }

  #before(node: number, id: StateId, outcomes: readonly StateRow["outcome"][]): StateRow[] {
    return this.of(node).states.filter(
      ({ head, outcome }) => compareStates(head, id) < 0 && outcomes.includes(outcome),
    );
  }

  keepOutcome(node: number, message: MessageFromEdge<"outcome">): void {
    const { outcome, reason, noEcho = false, stopped = false } = message;
    const row = this.find(node, message);
    // What does not act of a state is no one's concern here.
    const from: readonly StateRow["outcome"][] = outcomesBefore(outcome);
    if (!row || row.deliveredAt === null || !from.includes(row.outcome)) return;
    row.outcome = outcome;
    row.reason = reason;
    if (outcome === "applied") return;
    row.endedAt = this.#now();
    row.noEcho = noEcho;
    row.stopped = stopped;
    row.task = 2;
  }

  keepConfirmed({ node, digest, ...id }: ConfirmRequest): void {
    const row = this.find(node, id);
    const state = row ? { ...row, isSent: row.deliveredAt !== null } : null;
    if (!judgeConfirm(state, digest) || !row) return;
    row.outcome = "confirmed";
    row.reason = null;
    row.endedAt = this.#now();
    for (const older of this.#before(node, id, ["delivered", "applied"])) this.#supersede(older);
    for (const one of this.of(node).states) {
      const order = compareStates(one.head, id);
      if (order <= 0 && (one.task === 0 || one.task === 4)) one.task = order === 0 ? 1 : 3;
    }
    const { status } = this.of(node);
    if (status) status.running = { epoch: id.epoch, serial: id.serial, digest };
  }

  openPresence({ node }: Device, gateway: string, socketAddress: string): number {
    const rows = this.of(node);
    const sessionEpoch = (rows.status?.sessionEpoch ?? 0) + 1;
    const fresh = { running: null, tunnelKey: null, addresses: "", replacements: [] };
    const socket = { online: true, gateway, sessionEpoch, socketAddress };
    rows.status = { ...fresh, ...rows.status, ...socket };
    return sessionEpoch;
  }

  noteReplacement({ node, publicKey }: Device, from: string): boolean {
    const { status, identity } = this.of(node);
    if (!status) return false;
    const one = { at: this.#now(), from, to: status.socketAddress };
    const { kept, isFound } = addReplacement(status.replacements, one);
    status.replacements = kept;
    const isOurs = identity.publicKey === publicKey && identity.state === "approved";
    if (!isFound || !isOurs) return false;
    identity.state = "quarantined";
    return true;
  }

  writeSeen(sockets: readonly OpenSocket[], online: boolean): void {
    for (const { node, epoch } of sockets) {
      const status = this.nodes.get(node)?.status;
      if (status?.sessionEpoch === epoch) status.online = online;
    }
  }

  keepReport(device: Device, epoch: number, report: MessageFromEdge<"report">): boolean {
    if (report.serialNumber !== device.sn) throw new Refused("notYours", "another serial number");
    const { status } = this.of(device.node);
    if (status?.sessionEpoch !== epoch) throw new Refused("replaced", "a newer socket is open");
    const tunnelKey = report.tunnelKeys[0]?.publicKey ?? null;
    const lines = report.lines.map(({ interfaceName, address }) => `${interfaceName} ${address}`);
    const addresses = lines.sort().join();
    const isNews = status.tunnelKey !== tunnelKey || status.addresses !== addresses;
    Object.assign(status, { running: report.running, tunnelKey, addresses });
    return isNews;
  }

  keepHeartbeat({ node }: Device, epoch: number, { running }: MessageFromEdge<"heartbeat">): void {
    const { status } = this.of(node);
    if (status?.sessionEpoch === epoch) status.running = running;
  }

  watch(
    sockets: readonly (OpenSocket & { readonly publicKey: string })[],
    times: DeliveryTimes,
  ): { node: number; verdict: WatchVerdict }[] {
    const found: { node: number; verdict: WatchVerdict }[] = [];
    for (const { node, publicKey, epoch } of sockets) {
      const verdict = this.#judge(node, publicKey, epoch, times);
      if (verdict !== null) found.push({ node, verdict });
    }
    return found;
  }

  #judge(node: number, key: string, epoch: number, times: DeliveryTimes): WatchVerdict | null {
    const rows = this.nodes.get(node);
    if (rows?.identity.publicKey !== key) return "rejected";
    const { state } = rows.identity;
    if (state !== "approved") return state === "quarantined" ? state : "rejected";
    if ((rows.status?.sessionEpoch ?? 0) > epoch) return "replaced";
    const newest = this.newest(node);
    if (!newest) return null;
    return newest.outcome === "waiting" || this.isRetryDue(newest, times) ? "due" : null;
  }
}

/** How a call travels: when its work is done, when it is answered, and whether at all. */
export type Travel = <T>(call: keyof GatewayStore, work: () => T) => Promise<T>;

const atOnce: Travel = async (_call, work) => work();

/** The rows as one gateway process reaches them. */
export function memoryStore(rows: MemoryRows, travel: Travel = atOnce): GatewayStore {
  const identityOf = (node: number) => rows.nodes.get(node)?.identity;
  return {
    installationEpoch: () => travel("installationEpoch", () => rows.epoch),
    deviceIdentity: (node, key) =>
      travel("deviceIdentity", () => {
        const found = identityOf(node);
        if (found?.publicKey !== key) return null;
        return { enterpriseId: found.enterpriseId, sn: found.sn, state: found.state };
      }),
    confirmKey: (node) =>
      travel("confirmKey", () => {
        const found = identityOf(node);
        return found?.state === "approved" ? found.publicKey : null;
      }),
    openPresence: (device, gateway, address) =>
      travel("openPresence", () => rows.openPresence(device, gateway, address)),
    noteReplacement: (device, from) =>
      travel("noteReplacement", () => rows.noteReplacement(device, from)),
    writeSeen: (sockets, on) => travel("writeSeen", () => rows.writeSeen(sockets, on)),
    keepReport: (device, epoch, report) =>
      travel("keepReport", () => rows.keepReport(device, epoch, report)),
    keepHeartbeat: (device, epoch, beat) =>
      travel("keepHeartbeat", () => rows.keepHeartbeat(device, epoch, beat)),
    // Metrics of devices alone: there are no lines and links in these rows.
    ownMetrics: () =>
      travel("ownMetrics", () => ({ links: new Set(), interfaces: new Set(), foreign: new Set() })),
    keepMeasures: () => travel("keepMeasures", () => undefined),
    keepTransition: () => travel("keepTransition", () => undefined),
    takeNext: (node, view, times) => travel("takeNext", () => rows.takeNext(node, view, times)),
    keepOutcome: (node, outcome) => travel("keepOutcome", () => rows.keepOutcome(node, outcome)),
    keepConfirmed: (request) => travel("keepConfirmed", () => rows.keepConfirmed(request)),
    readSections: (node, hashes) =>
      travel("readSections", () =>
        [...new Set(hashes)].flatMap((hash) => {
          const { sections } = rows.of(node);
          return sections.has(hash) ? [{ hash, content: sections.get(hash) }] : [];
        }),
      ),
    // There is no one who could leave a command.
    takeCommands: async () => [],
    keepAnswer: async () => {},
    watch: (sockets, times) => travel("watch", () => rows.watch(sockets, times)),
  };
}
