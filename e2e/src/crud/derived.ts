/**
 * Screens of plain resources: what a user types there follows from the declaration and its samples, so that a new resource
 * is created, edited and removed without an entry. What does not follow from them stands in `screens.ts` and
 * `business-screens.ts`.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkMemory } from "@weft/contract/kernel/rule.ts";
import { menu } from "@weft/contract/menu.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { type ReferenceKind, type SheetField, sheetFields } from "@weft/contract/sheet-fields.ts";
import type { Fields } from "./hand.ts";
import type { Form } from "./screens.ts";

/** Rows of the demonstration that belong together, by what a field names. */
const rowsOfKind: Partial<Record<ReferenceKind, string>> = {
  enterprise: "蓝海零售",
  cpe: "杭州总部",
  node: "杭州总部",
  pop: "上海-01",
};

/** Entries of the menu and routes beside it that have a screen. */
export const screensOfMenu: readonly MenuNode[] = screensBelow(menu);

function screensBelow(nodes: readonly MenuNode[]): readonly MenuNode[] {
  return nodes.flatMap((node) => [
    ...(node.view === undefined ? [] : [node]),
    ...screensBelow(node.children ?? []),
  ]);
}

/** The resource of which a screen is the list: the one whose list names that screen first. */
function resourceOf(path: string): ResourceName | undefined {
  const names = Object.keys(allResources) as ResourceName[];
  return names.find((name) => {
    const { may, verbs, owner } = allResources[name] as AnyResource;
    const { list } = may;
    const screen = typeof list === "object" && list && "anyOf" in list ? list.anyOf[0] : undefined;
    return screen === path && owner === undefined && verbs.includes("edit");
  });
}

/** Whether a draft is refused whatever a form may hold in the field while it is empty. */
const isRequired = (resource: AnyResource, draft: object, { name }: SheetField): boolean =>
  [null, "", []].every((empty) => !checkMemory(resource.draft, { ...draft, [name]: empty }).ok);

/** What is typed or selected for a field of a sample; undefined: it stays as the form opens. */
function typedFor(field: SheetField, value: unknown): Fields[string] | undefined {
  if (field.isChoice) return undefined;
  if (field.kind !== null) return rowsOfKind[field.kind];
  if (field.isList || value === null || value === undefined) return undefined;
  return field.perMegabit === null ? String(value) : String(Number(value) / field.perMegabit);
}

const typed = (
  fields: readonly SheetField[],
  draft: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Fields[string]>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = field.name in draft ? typedFor(field, draft[field.name]) : undefined;
      return value === undefined ? [] : [[field.title[1], value]];
    }),
  );

const ids = { groupid: 1, cpeId: 1, popId: 1 };

/** @param number tells its rows from those of other screens */
function formOf(path: string, name: ResourceName, number: number): Form {
  const resource: AnyResource = allResources[name];
  const fields = sheetFields(resource).filter(({ role }) => role === "value");
  const sample = samples[name];
  const text = `crud-${name.toLowerCase().replaceAll(".", "-")}`;
  const distinct = sample.distinct({ name: text, latin: text, number: 2 * number });
  const draft = { ...sample.valid(ids), ...distinct };
  const other = `${text}-2`;
  const edited = sample.distinct({ name: other, latin: other, number: 2 * number + 1 });
  return {
    proves: resource.title[1],
    path,
    add: null,
    // What tells its row from others comes first: the list is searched for that.
    fill: {
      ...typed(fields, distinct),
      ...typed(
        fields.filter((field) => isRequired(resource, draft, field)),
        draft,
      ),
    },
    edit: typed(
      fields.filter(({ kind }) => kind === null),
      edited,
    ),
  };
}

/**
 * Forms of the screens that are not walked otherwise.
 * @param others paths that are
 */
export const derivedForms = (others: ReadonlySet<string>): readonly Form[] =>
  screensOfMenu.flatMap(({ path }, at) => {
    const name = others.has(path) ? undefined : resourceOf(path);
    return name === undefined ? [] : [formOf(path, name, at)];
  });
