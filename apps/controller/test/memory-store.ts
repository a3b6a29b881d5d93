/**
 * The gateway's store without a database, for the simulation: the same calls with the same effects
 * on the same rows. `gateway/store.test.ts` runs both side by side, so that they stay the same.
 * Each call is one step that nothing interrupts; measures are not kept.
 */
import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import {
  compareStates,
  type DesiredState,
  revisedHead,
  type StateHead,
  type StateId,
  type StateRevision,
  toSections,
} from "@weft/contract/device/v1/state.ts";
import { type ConfirmRequest, decideConfirm } from "#domains/delivery/deliver/confirm.ts";
import {
  type DeliveryTimes,
  type DeviceView,
  evaluate,
  outcomeChanges,
} from "#domains/delivery/deliver/delivery.ts";
import {
  evaluateRevision,
  isLeft,
  type NewestLists,
  type RecordedRevision,
  viewOfState,
} from "#domains/delivery/deliver/revisions.ts";
import { sha256 } from "#domains/delivery/publish/state-content.ts";
import type { Device, OpenSocket } from "#domains/devices/presence/public.ts";
import { addReplacement, type Replacement } from "#domains/devices/presence/public.ts";
import { Refused } from "#gateway/refusal.ts";
import type { GatewayStore, WatchVerdict } from "#gateway/store.ts";
import {
  addCauses,
  adoptVersions,
  confirmStates,
  deliverStates,
  type Life,
  publishStates,
  recordFindings,
  recordOutcomes,
  type StateRow,
  settleIssues,
} from "./memory-transitions.ts";

type Running = MessageFromEdge<"report">["running"];

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

interface NodeRows extends Life {
  readonly identity: { publicKey: string; enterpriseId: number; sn: string; state: string };
  readonly sections: Map<string, unknown>;
  status: StatusRow | null;
  /** The newest lists of networks of its spaces, and the number that gateways know them by; null: there was no other. */
  lists: (NewestLists & { readonly id: number }) | null;
  /** Revisions that it was sent, the oldest first. */
  revisions: RevisionRow[];
}

interface RevisionRow extends RecordedRevision, StateId {
  readonly revision: number;
  outcome: string;
}

/** What is known of a state beside its sections. */
type Publication = Pick<StateRow, "held" | "template" | "causes">;

export class MemoryRows {
  readonly nodes = new Map<number, NodeRows>();
  epoch = 1;
  readonly #now: () => number;

  /** @param now ms; the clock of the database */
  constructor(now: () => number) {
    this.#now = now;
  }

  addNode(node: number, identity: NodeRows["identity"]): void {
    this.nodes.set(node, {
      identity,
      states: [],
      issues: [],
      now: this.#now,
      sections: new Map(),
      status: null,
      lists: null,
      revisions: [],
    });
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

  /** What the compiler does with a new state. Null: it equals the newest one. */
  publish(node: number, state: DesiredState, more: Partial<Publication> = {}): StateHead | null {
    const { held = false, template = null, causes = [] } = more;
    const life = this.of(node);
    const sections: Record<string, string> = {};
    for (const [name, content] of toSections(state)) {
      const hash = sha256(content);
      life.sections.set(hash, content);
      sections[name] = hash;
    }
    const newest = life.states.at(-1);
    const isSame = newest && sha256(newest.head.sections) === sha256(sections);
    const isCurrent = isSame && newest.outcome !== "superseded" && newest.head.epoch === this.epoch;
    if (isCurrent && (held || newest.outcome !== "held")) {
      if (!isDeepStrictEqual(newest.template, template)) adoptVersions(life, newest, template);
      else settleIssues(life, newest);
      if (held) addCauses(life, newest, causes);
      return null;
    }
    const head = { epoch: this.epoch, serial: (newest?.head.serial ?? 0) + 1, sections };
    publishStates(life, { head, digest: sha256(head), held, template, causes });
    return head;
  }

  isRetryDue(row: StateRow, times: DeliveryTimes): boolean {
    const { outcome, unreachable, stopped, retries, endedAt } = row;
    if (outcome !== "reverted" || retries > 0 || endedAt === null) return false;
    if (!unreachable && !stopped) return false;
    return endedAt <= this.#now() - (stopped ? times.retryAfterStopMs : times.retryAfterMs);
  }

  /** Called for a node whose lists no revision brings, after what its device reported: its next state has them. */
  left: (node: number) => void = () => {};
  #lists = 0;

  /** A list of networks of a space of the node is another one; the state that the device runs is to have it. */
  revise(node: number, name: string, content: unknown): void {
    const rows = this.of(node);
    const hash = sha256(content);
    rows.sections.set(hash, content);
    this.#lists += 1;
    const revision = (rows.lists?.revision ?? 0) + 1;
    rows.lists = { id: this.#lists, revision, lists: { [name]: hash } };
  }

  /** What was sent of a state, the newest first. */
  #recorded(node: number, { epoch, serial }: StateId): RevisionRow[] {
    const { revisions } = this.of(node);
    return revisions.filter((one) => one.epoch === epoch && one.serial === serial).reverse();
  }

  /** The newest lists for a state; null: its device did not take one of it. */
  revisedOf(node: number, { head }: StateRow): NewestLists | null {
    const { lists } = this.of(node);
    const isTaken = !this.#recorded(node, head).some(isLeft);
    return lists !== null &&
      isTaken &&
      Object.keys(lists.lists).every((name) => name in head.sections)
      ? lists
      : null;
  }

  #takeRevision(node: number, newest: StateRow, view: DeviceView): StateRevision | null {
    const { head, digest, outcome } = newest;
    const recorded = this.#recorded(node, head);
    const revised = outcome === "confirmed" ? this.revisedOf(node, newest) : null;
    const next = evaluateRevision({ ...head, digest, revised, recorded }, view);
    if (next.verdict === "nothing") return null;
    const { digest: ofHead, ...revision } = next.revision;
    if (next.verdict === "keep") return revision;
    for (const row of recorded) if (row.outcome === "delivered") row.outcome = "superseded";
    const { sections: _, ...id } = revision;
    this.of(node).revisions.push({ ...id, digest: ofHead, outcome: "delivered", seconds: 0 });
    return revision;
  }

  takeNext(node: number, view: DeviceView, times: DeliveryTimes): StateHead | StateRevision | null {
    const newest = this.sendable(node);
    if (!newest) return null;
    const retryable = this.isRetryDue(newest, times);
    const { head, digest, outcome } = newest;
    const asked = { epoch: head.epoch, serial: head.serial, digest, outcome, retryable };
    const state = viewOfState(digest, this.#recorded(node, head), view);
    const verdict = evaluate(asked, state, this.#isBusy(node, head, state, times));
    if (verdict === "nothing") return this.#takeRevision(node, newest, view);
    if (verdict === "deliver") deliverStates(this.of(node), newest, retryable);
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

  keepOutcome(node: number, message: MessageFromEdge<"outcome">): void {
    const { outcome, reason, unreachable = false, stopped = false, findings = [] } = message;
    const row = this.find(node, { epoch: message.epoch, serial: message.serial });
    if (!row || row.deliveredAt === null) return;
    if (message.revision !== undefined && outcome !== "applied") {
      const sent = this.#findRevision(node, message);
      if (!sent || isLeft(sent)) return;
      sent.outcome = outcome;
      this.left(node);
      return;
    }
    const changes = outcomeChanges({ outcome: row.outcome, isSent: true }, outcome);
    if (message.revision !== undefined && changes === "state") return;
    if (changes === "findings") recordFindings(this.of(node), row, findings);
    else if (changes === "state") {
      recordOutcomes(this.of(node), row, { outcome, reason, unreachable, stopped, findings });
      if (outcome !== "applied" && this.#isBehind(node)) this.left(node);
    }
  }

  /** Whether the newest state has another list than the newest one. */
  #isBehind(node: number): boolean {
    const sections = this.sendable(node)?.head.sections ?? {};
    const lists = Object.entries(this.of(node).lists?.lists ?? {});
    return lists.some(([name, hash]) => sections[name] !== undefined && sections[name] !== hash);
  }

  #findRevision(node: number, id: StateId): RevisionRow | undefined {
    return this.of(node).revisions.find((one) => compareStates(one, id) === 0);
  }

  keepConfirmed({ node, digest, ...id }: ConfirmRequest): void {
    if (id.revision !== undefined) {
      const sent = this.#findRevision(node, id);
      if (!decideConfirm(sent ? { ...sent, isSent: true } : null, digest) || !sent) return;
      sent.outcome = "confirmed";
      const { status } = this.of(node);
      if (status) status.running = { epoch: id.epoch, serial: id.serial, digest };
      return;
    }
    const row = this.find(node, id);
    const state = row ? { ...row, isSent: row.deliveredAt !== null } : null;
    if (!decideConfirm(state, digest) || !row) return;
    confirmStates(this.of(node), row);
    const { status } = this.of(node);
    if (status) status.running = { epoch: id.epoch, serial: id.serial, digest };
  }

  /** Digests by which a device runs all that it is to run. */
  wantedDigests(node: number): readonly string[] {
    const newest = this.sendable(node);
    if (newest?.outcome !== "confirmed") return [];
    const { head, digest } = newest;
    const revised = this.revisedOf(node, newest);
    if (!revised) return [digest];
    const { revision, lists } = revised;
    const { epoch, serial } = head;
    const last = sha256(revisedHead(head, { epoch, serial, revision, sections: { ...lists } }));
    const isSame = Object.entries(lists).every(([name, hash]) => head.sections[name] === hash);
    return isSame ? [last, digest] : [last];
  }

  revisedNodes(nodes: readonly number[], since: number | null) {
    const found = nodes.filter((node) => (this.of(node).lists?.id ?? 0) > (since ?? 0));
    return { last: this.#lists, nodes: found };
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

  writeSeen(sockets: readonly OpenSocket[], online: boolean): readonly number[] {
    for (const { node, epoch } of sockets) {
      const status = this.nodes.get(node)?.status;
      if (status?.sessionEpoch === epoch) status.online = online;
    }
    return [];
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
      const verdict = this.#evaluate(node, publicKey, epoch, times);
      if (verdict !== null) found.push({ node, verdict });
    }
    return found;
  }

  #evaluate(node: number, key: string, epoch: number, times: DeliveryTimes): WatchVerdict | null {
    const rows = this.nodes.get(node);
    if (rows?.identity.publicKey !== key) return "rejected";
    const { state } = rows.identity;
    if (state !== "approved") return state === "quarantined" ? state : "rejected";
    if ((rows.status?.sessionEpoch ?? 0) > epoch) return "replaced";
    const newest = this.sendable(node);
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
    keepHeartbeat: (device, epoch, heartbeat) =>
      travel("keepHeartbeat", () => rows.keepHeartbeat(device, epoch, heartbeat)),
    // Metrics of devices only: there are no lines and links in these rows.
    ownMetrics: () =>
      travel("ownMetrics", () => ({
        links: new Set(),
        interfaces: new Set(),
        foreign: new Set(),
        objects: new Set(),
      })),
    // Nor are there records of flows.
    flowRecording: () => travel("flowRecording", () => ({ isOn: false, since: null })),
    keepMeasures: () => travel("keepMeasures", () => []),
    keepTransition: () => travel("keepTransition", () => undefined),
    keepRepairs: () => travel("keepRepairs", () => undefined),
    keepIpv6: () => travel("keepIpv6", () => undefined),
    keepStandby: () => travel("keepStandby", () => undefined),
    keepLeases: () => travel("keepLeases", () => undefined),
    // There are no links in these rows.
    keepPaths: () => travel("keepPaths", () => undefined),
    keepMoves: () => travel("keepMoves", () => undefined),
    // Which keys devices hold is no part of these rows.
    keepPin: () => travel("keepPin", () => undefined),
    takeNext: (node, view, times) => travel("takeNext", () => rows.takeNext(node, view, times)),
    keepOutcome: (node, outcome) => travel("keepOutcome", () => rows.keepOutcome(node, outcome)),
    keepConfirmed: (request) => travel("keepConfirmed", () => rows.keepConfirmed(request)),
    readSections: (node, hashes) =>
      travel("readSections", () =>
        [...new Set(hashes)].flatMap((hash) => {
          const { sections } = rows.of(node);
          return sections.has(hash) ? [{ hash, text: canonicalJson(sections.get(hash)) }] : [];
        }),
      ),
    revisedNodes: (nodes, since) => travel("revisedNodes", () => rows.revisedNodes(nodes, since)),
    // No commands are left here.
    takeCommands: async () => [],
    keepAnswer: async () => {},
    watch: (sockets, times) => travel("watch", () => rows.watch(sockets, times)),
  };
}
