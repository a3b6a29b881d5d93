/** Rows of the operation log as its readers get them. */
import type { operaRecordList } from "@weft/contract/domains/access/record.ts";
import { actionPart } from "@weft/contract/domains/access/record-actions.ts";
import type { ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { moduleTitles } from "./modules.ts";
import { isOnly, rowName } from "./object-name.ts";
import { type Names, readNames } from "./references.ts";
import { differences } from "./rules.ts";
import { shownOperations } from "./shown.ts";
import { storyOf } from "./story.ts";
import { mayUndo, undoPlanOf } from "./undo-plan.ts";
import { both, inSentence, type Pair, readableChange, shown } from "./value-texts.ts";

interface EarlierQuery {
  readonly id: number;
  readonly resource: string;
  readonly row_id: number | null;
}

interface Written {
  readonly of: number;
  readonly old_value: Values;
  readonly new_value: Values;
}

/** Writes of one row that are looked through for its name. */
const maxWrites = 5;

/**
 * What earlier writes recorded of the same rows, the newest first: a call that records one value
 * leaves out what the row is called. One statement.
 * @param shown predicate over `audit l`: what the caller's log shows
 */
async function readEarlier(
  ctx: Context,
  rows: readonly EarlierQuery[],
  shown: RawBuilder<SqlBool>,
): Promise<ReadonlyMap<number, readonly Written[]>> {
  const queried = rows.filter(({ row_id }) => row_id !== null);
  if (queried.length === 0) return new Map();
  const { rows: found } = await sql<Written>`
    select queried.id as of, e.old_value, e.new_value
    from unnest(${queried.map(({ id }) => id)}::bigint[],
      ${queried.map(({ resource }) => resource)}::text[],
      ${queried.map(({ row_id }) => row_id)}::bigint[]) as queried (id, resource, row_id)
    cross join lateral (
      select l.id, l.old_value, l.new_value from audit l
      where l.resource = queried.resource and l.row_id = queried.row_id and l.id < queried.id and ${shown}
      order by l.id desc limit ${maxWrites}) e
    order by queried.id, e.id desc`.execute(ctx.db);
  return Map.groupBy(found, ({ of }) => of);
}

type Operation = ResultOf<typeof operaRecordList>["rows"][number];
type Values = Readonly<Record<string, unknown>> | null;

/** A row of the table `audit`, with the name that its enterprise has now. */
export interface OperationRow {
  readonly id: number;
  readonly enterprise_id: number;
  readonly enterprise_name: string | null;
  readonly user_id: number;
  readonly login_name: string;
  readonly action: string;
  readonly resource: string;
  readonly row_id: number | null;
  readonly old_value: Values;
  readonly new_value: Values;
  readonly address: string;
  readonly request_id: string;
  readonly at: Date;
  readonly node_id: number | null;
  readonly template_id: number | null;
  /** Who undid it; null or absent: it was not read, or no one has. */
  readonly undone_by?: string | null;
  /** What was called how when the row was written; rows from before have none. */
  readonly about: {
    readonly enterprise?: string;
    readonly node?: string;
    readonly template?: string;
  } | null;
}

/** What a row is about, by name. */
interface Placed {
  readonly rowName: string;
  readonly nodeName: string;
  readonly templateName: string;
  readonly enterpriseName: string;
}

/** Modules with one row a device, which are called as the device is. */
const partsOfNode = new Set(["nodeState", "command", "cpeCfg", "popCfg"]);
const nodes = new Set(["cpe", "pop"]);

/** All rows of a place together: the number of the row is the place's. */
const isOfAll = ({ action }: OperationRow): boolean => actionPart(action) === "clear";

const isNameless = (row: OperationRow): boolean =>
  !isOnly(row.resource) &&
  !isOfAll(row) &&
  rowName(row.resource, row.old_value, row.new_value) === "";

/** Rows with readable names: two statements, however many rows there are. */
export async function storiesOfOperations(
  ctx: Context,
  rows: readonly OperationRow[],
): Promise<Operation[]> {
  const values = rows.flatMap((row) => [
    row.old_value,
    row.new_value,
    { nodeId: row.node_id, templateId: row.template_id },
  ]);
  const [names, earlier] = await Promise.all([
    readNames(ctx, values),
    readEarlier(ctx, rows.filter(isNameless), shownOperations(ctx)),
  ]);
  const nameOf = (row: OperationRow): string =>
    [row, ...(earlier.get(row.id) ?? [])]
      .map(({ old_value, new_value }) => rowName(row.resource, old_value, new_value))
      .find((name) => name !== "") ?? linkName(row, names);
  return rows.map((row) => ({
    ...storyRow(row, nameOf(row), names),
    ...undoOf(ctx, row),
  }));
}

function undoOf(ctx: Context, row: OperationRow): Pick<Operation, "undo" | "undoneBy"> {
  if (row.undone_by) return { undo: "done", undoneBy: row.undone_by };
  const plan = undoPlanOf(row);
  return { undo: plan && mayUndo(ctx.caller, plan) ? "possible" : null, undoneBy: "" };
}

/** A link is called by its ends. */
function linkName({ resource, old_value, new_value }: OperationRow, names: Names): string {
  if (resource !== "link") return "";
  const values = new_value ?? old_value;
  const ends = ["sourceId", "targetId"].map((field) => names.of(field, values?.[field]));
  return ends.every((end) => end !== null) ? ends.join(" – ") : "";
}

/** Of rows from before names were kept: what it is called now. */
function placedOf(row: OperationRow, name: string, names: Names): Placed {
  const { about } = row;
  const nodeName = about?.node ?? names.of("nodeId", row.node_id) ?? "";
  const templateName = about?.template ?? names.of("templateId", row.template_id) ?? "";
  const enterpriseName = about?.enterprise ?? row.enterprise_name ?? "";
  const fallback = {
    cpe: nodeName,
    pop: nodeName,
    routerTemplate: templateName,
    enterprise: enterpriseName,
  }[row.resource];
  return { rowName: name || (fallback ?? ""), nodeName, templateName, enterpriseName };
}

/** "LAN section 10.1.1.1/24"; without a name its number. */
function objectOf(row: OperationRow, { rowName: name, nodeName }: Placed, names: Names): Pair {
  const { resource: module, row_id: rowId } = row;
  if (partsOfNode.has(module) && nodeName !== "") return [nodeName, nodeName];
  const unnamed = rowId === null || isOnly(module) || isOfAll(row) ? "" : `#${rowId}`;
  return both((language) => {
    const title = moduleTitles.get(module);
    const kind = title ? formatMessage(title, language) : module;
    const called =
      name && shown({ module, field: nameField(module), value: name }, names, language);
    return [language === "zh_cn" ? kind : inSentence(kind), called || unnamed]
      .filter((part) => part !== "")
      .join(" ");
  });
}

/** Field whose codes a name is one of, where rows are called by a code. */
const nameField = (module: string): string =>
  ({ batch: "action", alarmRule: "metric" })[module] ?? "name";

function placeOf({ resource }: OperationRow, placed: Placed): string {
  const { nodeName, templateName, enterpriseName } = placed;
  if (resource === "enterprise") return "";
  const isPlace = nodes.has(resource) || partsOfNode.has(resource);
  if (isPlace || resource === "routerTemplate") return enterpriseName;
  return nodeName || templateName || enterpriseName;
}

function storyRow(
  row: OperationRow,
  name: string,
  names: Names,
): Omit<Operation, "undo" | "undoneBy"> {
  const [old, now] = [row.old_value, row.new_value];
  const placed = placedOf(row, name, names);
  const changes = differences(old, now);
  const object = objectOf(row, placed, names);
  const story = storyOf(
    {
      loginName: row.login_name,
      module: row.resource,
      action: row.action,
      object,
      changes,
      // Of the installation itself its first user is recorded.
      isByProgram: row.user_id === 0 || row.resource === "installation",
      place: placeOf(row, placed),
      recorded: { ...old, ...now },
    },
    names,
  );
  return {
    id: row.id,
    userId: row.user_id,
    loginName: row.login_name,
    groupid: row.enterprise_id,
    module: row.resource,
    action: row.action,
    rowId: row.row_id,
    ...placed,
    object,
    story,
    nodeId: row.node_id,
    nodeKind: names.nodeKind(row.node_id),
    templateId: row.template_id,
    ip: row.address,
    requestId: row.request_id,
    createTime: row.at,
    changes: changes.map((change) => readableChange(row.resource, change, names)),
  };
}
