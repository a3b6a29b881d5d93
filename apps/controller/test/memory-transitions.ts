/**
 * The life of a desired state on rows in memory: the functions of
 * `domains/delivery/lifecycle/transitions.ts` under the same names with the same effects.
 * `gateway/store.test.ts` runs both side by side and does not compile while one of them is missing.
 */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { compareStates, type StateHead, type StateId } from "@weft/contract/device/v1/state.ts";
import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";

type Outcome = MessageFromEdge<"outcome">["outcome"];

interface TemplateVersion {
  readonly templateId: number;
  readonly version: number;
}

/** What of a version does not act on the node. */
type Unmet = { readonly cannot: number } | null;
interface TemplateInState extends TemplateVersion {
  readonly unmet: Unmet;
}

export interface StateRow {
  readonly head: StateHead;
  readonly digest: string;
  readonly createdAt: number;
  outcome: Outcome | "waiting" | "held" | "delivered" | "confirmed" | "superseded";
  /** It waits for an operator, or did so when a newer one came. */
  held: boolean;
  reason: string | null;
  unreachable: boolean;
  stopped: boolean;
  retries: number;
  deliveredAt: number | null;
  endedAt: number | null;
  /** Changes that it came from. */
  causes: readonly unknown[];
  /** Parts without effect. */
  findings: readonly unknown[];
  template: TemplateInState | null;
  /** Status of its task. */
  task: TaskStatus;
}

/** The task of a published template at a node. */
interface IssueTask extends TemplateVersion {
  status: TaskStatus;
  unmet: Unmet;
}

/** States and tasks of one node, on the clock of the database (ms). */
export interface Life {
  readonly states: StateRow[];
  readonly issues: IssueTask[];
  readonly now: () => number;
}

const { notStarted, pulled, failed, completed, cancelled } = taskStatus;
const isOpen = (status: TaskStatus): boolean => status === notStarted || status === pulled;
const isSame = (one: TemplateVersion | null, other: TemplateVersion | null): boolean =>
  one?.templateId === other?.templateId && one?.version === other?.version;

type NewState = Pick<StateRow, "head" | "digest" | "held" | "causes" | "template">;

export function publishStates(life: Life, state: NewState): void {
  const { states, now } = life;
  supersedeStates(life, state.held ? ["held"] : ["waiting", "held"]);
  states.push({
    ...state,
    outcome: state.held ? "held" : "waiting",
    createdAt: now(),
    reason: null,
    unreachable: false,
    stopped: false,
    retries: 0,
    deliveredAt: null,
    endedAt: null,
    findings: [],
    task: notStarted,
  });
}

export function addCauses(_life: Life, row: StateRow, causes: readonly unknown[]): void {
  if (row.causes.length < 500) row.causes = [...row.causes, ...causes];
}

function supersedeStates(
  { states, now }: Life,
  outcomes: readonly StateRow["outcome"][],
  before?: StateId,
): void {
  for (const row of states) {
    if (!outcomes.includes(row.outcome)) continue;
    if (before && compareStates(row.head, before) >= 0) continue;
    row.outcome = "superseded";
    row.endedAt = now();
    if (isOpen(row.task)) row.task = cancelled;
  }
}

export function releaseState(life: Life, row: StateRow): void {
  row.outcome = "waiting";
  row.held = false;
  supersedeStates(life, ["waiting"], row.head);
}

export function deliverStates(life: Life, row: StateRow, isRetry: boolean): void {
  Object.assign(row, { outcome: "delivered", deliveredAt: life.now(), endedAt: null });
  Object.assign(row, { reason: null, unreachable: false, stopped: false });
  row.retries += isRetry ? 1 : 0;
  followState(life, row, pulled);
  supersedeStates(life, ["waiting", "delivered", "applied"], row.head);
}

interface ReportedOutcome {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly unreachable: boolean;
  readonly stopped: boolean;
  readonly findings: readonly unknown[];
}

export function recordOutcomes(life: Life, row: StateRow, reported: ReportedOutcome): void {
  const wasConfirmed = row.outcome === "confirmed";
  const { outcome, reason, findings, unreachable, stopped } = reported;
  Object.assign(row, { outcome, reason, findings });
  if (outcome === "applied") return;
  Object.assign(row, { endedAt: life.now(), unreachable, stopped });
  followState(life, row, failed);
  if (wasConfirmed) failTakenBack(life, row);
}

export function recordFindings(_life: Life, row: StateRow, findings: readonly unknown[]): void {
  row.findings = findings;
}

export function confirmStates(life: Life, row: StateRow): void {
  Object.assign(row, { outcome: "confirmed", reason: null, endedAt: life.now() });
  supersedeStates(life, ["delivered", "applied"], row.head);
  followState(life, row, completed);
}

export function cancelState({ now }: Life, row: StateRow, by: string): boolean {
  if (row.outcome !== "waiting" && row.outcome !== "held") return false;
  Object.assign(row, { outcome: "superseded", endedAt: now(), reason: by, task: cancelled });
  return true;
}

export function retryState({ issues }: Life, row: StateRow): void {
  Object.assign(row, { outcome: "waiting", reason: null, endedAt: null });
  Object.assign(row, { unreachable: false, stopped: false, task: notStarted });
  row.retries += 1;
  for (const issue of issues) {
    if (!isSame(issue, row.template) || issue.status !== failed) continue;
    Object.assign(issue, { status: notStarted, unmet: null });
  }
}

const issueStatus: Partial<Record<StateRow["outcome"], TaskStatus>> = {
  delivered: pulled,
  applied: pulled,
  confirmed: completed,
  refused: failed,
  failed,
  reverted: failed,
};

export function adoptVersions(life: Life, row: StateRow, template: TemplateInState | null): void {
  row.template = template;
  settleIssues(life, row);
}

export function settleIssues(life: Life, { template, outcome }: StateRow): void {
  const status = issueStatus[outcome];
  if (template && status !== undefined) followIssue(life, template, status);
}

export function openIssueTasks({ issues }: Life, { templateId, version }: TemplateVersion): void {
  issues.push({ templateId, version, status: notStarted, unmet: null });
}

export function cancelIssueTasks({ issues }: Life): void {
  for (const issue of issues) if (isOpen(issue.status)) issue.status = cancelled;
}

/** @param keep ms */
export function removeOldStates(
  { states, now }: Life,
  keep: { readonly confirmed: number; readonly others: number },
): void {
  const last = states.findLast(({ outcome }) => outcome === "confirmed");
  if (!last) return;
  const kept = states.filter(({ head, outcome, createdAt }) => {
    const spanMs = outcome === "confirmed" ? keep.confirmed : keep.others;
    return compareStates(head, last.head) >= 0 || createdAt >= now() - spanMs;
  });
  states.splice(0, states.length, ...kept);
}

export function supersedeEverything(lives: readonly Life[]): void {
  for (const life of lives) {
    supersedeStates(life, ["waiting", "delivered", "applied"]);
    for (const row of life.states) if (isOpen(row.task)) row.task = cancelled;
  }
}

/** A version that arrived is evaluated by what of it does not act, and again with each later state. */
function followIssue({ issues }: Life, template: TemplateInState, status: TaskStatus): void {
  const arrived = status === completed;
  const unmet = arrived ? template.unmet : null;
  const end = unmet && unmet.cannot > 0 ? failed : status;
  for (const issue of issues) {
    const isOver = issue.status === cancelled || (issue.status === completed && !arrived);
    if (isSame(issue, template) && !isOver) Object.assign(issue, { status: end, unmet });
  }
}

function followState(life: Life, row: StateRow, status: TaskStatus): void {
  if (status !== completed || isOpen(row.task)) row.task = status;
  if (row.template) followIssue(life, row.template, status);
}

function failTakenBack({ states, issues }: Life, { template }: StateRow): void {
  const runs = states.findLast(({ outcome }) => outcome === "confirmed");
  if (!template || isSame(runs?.template ?? null, template)) return;
  for (const issue of issues) {
    if (!isSame(issue, template) || issue.status !== completed) continue;
    Object.assign(issue, { status: failed, unmet: null });
  }
}
