import type { Messages } from "@weft/contract/kernel/message.ts";
import type { AnyResource, DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { ComponentType, ReactNode } from "react";
import { useOpened } from "#client/opened.ts";
import { type CommonKey, type Translate, useTexts } from "#client/texts.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { type FieldSpec, ResourceForm } from "./form/resource-form.tsx";
import { type Column, wordColumns } from "./list/columns.tsx";
import type { FilterSpec } from "./list/filter-bar.tsx";
import { ListPage } from "./list/list-page.tsx";
import type { RowAction } from "./list/row-actions.tsx";
import { useResourceList } from "./list/use-list.ts";

type Key<Set> = CommonKey | (keyof Set & string);
/** A field of the row. */
type Word<R extends AnyResource> = keyof R["row"]["shape"] & string;
type T<Set> = Translate<keyof Set & string>;

/** How a resource looks: what the contract does not know. */
export interface ResourceViewSpec<R extends AnyResource, Set extends Messages> {
  readonly messages: Set;
  readonly title: Key<Set>;
  readonly addLabel: Key<Set>;
  /** What is said while there are no rows at all. */
  readonly empty: Key<Set>;
  /** What people call a row: for titles and confirmations. */
  readonly nameOf: (row: RowOf<R>) => string;
  /** Bare words: head and cell follow from the field. */
  readonly columns: (t: T<Set>) => readonly (Word<R> | Column<RowOf<R>>)[];
  readonly filters?: (t: T<Set>) => readonly FilterSpec[];
  /** Bare words: label and control follow from the draft. */
  readonly form?: (t: T<Set>) => readonly FieldSpec[];
  readonly initial: Partial<DraftOf<R>>;
  /** Actions of a row before Edit and Remove. */
  readonly rowActions?: (row: RowOf<R>, t: T<Set>) => readonly RowAction[];
  /** What stops, for whom, what stays. */
  readonly removeBody: (rows: readonly RowOf<R>[], t: T<Set>) => ReactNode;
  readonly touches?: readonly string[];
  readonly slots?: {
    /** Beside the add button. */
    readonly toolbar?: ComponentType;
    /** Instead of `form`: parts of form/field.tsx. */
    readonly formBody?: ComponentType<{ readonly row: RowOf<R> | null }>;
  };
}

export interface ResourceView<R extends AnyResource, Set extends Messages>
  extends ResourceViewSpec<R, Set> {
  readonly resource: R;
}

/** Declares a screen; unknown columns do not compile. */
export const resourceView = <
  R extends AnyResource,
  const Set extends Messages,
  // Inferred apart, so that words stay words and are checked one by one.
  const Columns extends readonly (Word<R> | Column<RowOf<R>>)[],
>(
  resource: R,
  spec: ResourceViewSpec<R, Set> & { readonly columns: (t: T<Set>) => Columns },
): ResourceView<R, Set> => ({ resource, ...spec });

/** List, form and removal of a declared screen. Past its options, write the page out of its parts. */
export const resourcePage = <R extends AnyResource, Set extends Messages>(
  view: ResourceView<R, Set>,
): ComponentType => {
  const { resource, slots = {} } = view;
  const Toolbar = slots.toolbar;
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, when it is loaded
  return function ResourcePage() {
    const t = useTexts(view.messages) as unknown as T<Set>;
    const list = useResourceList(resource);
    const { open, ...opened } = useOpened();
    const actions = useRowActions(view, t, open);
    const columns = view
      .columns(t)
      .flatMap((one) => (typeof one === "string" ? wordColumns(resource, t, [one]) : [one]));
    const add = {
      label: t(view.addLabel),
      may: resource.may.add,
      run: () => open("add"),
    };
    return (
      <ListPage
        title={t(view.title)}
        list={list}
        rowKey={resource.id as never}
        columns={columns}
        filters={view.filters?.(t) ?? []}
        actions={actions}
        add={resource.verbs.includes("add") ? add : undefined}
        tools={Toolbar && <Toolbar />}
        empty={{ text: t(view.empty), action: add }}
      >
        <ViewForm view={view} t={t} rows={list.rows} {...opened} />
      </ListPage>
    );
  };
};

const useRowActions = <R extends AnyResource, Set extends Messages>(
  view: ResourceView<R, Set>,
  t: T<Set>,
  open: (what: string, id?: number) => void,
): ((row: RowOf<R>) => readonly RowAction[]) => {
  const { resource, nameOf } = view;
  const remove = useRemove(resource, {
    title: (rows) =>
      rows.length === 1
        ? t("removal.title", { name: nameOf(rows[0]) })
        : t("removal.titleMany", { count: rows.length }),
    body: (rows) => view.removeBody(rows, t),
    ...(view.touches && { touches: view.touches }),
  });
  const idOf = (row: RowOf<R>): number => (row as Record<string, unknown>)[resource.id] as number;
  return (row) => {
    const edit: RowAction = {
      key: "edit",
      label: t("act.edit"),
      may: resource.may.edit,
      run: () => open("edit", idOf(row)),
    };
    const removal: RowAction = {
      key: "remove",
      label: t("act.remove"),
      may: resource.may.remove,
      danger: true,
      run: () => void remove([row]),
    };
    return [
      ...(view.rowActions?.(row, t) ?? []),
      ...(resource.verbs.includes("edit") ? [edit] : []),
      ...(resource.verbs.includes("remove") ? [removal] : []),
    ];
  };
};

interface ViewFormProps<R extends AnyResource, Set extends Messages> {
  readonly view: ResourceView<R, Set>;
  readonly t: T<Set>;
  readonly rows: readonly RowOf<R>[];
  readonly opened: { readonly what: string; readonly id: number | null } | null;
  close(): void;
}

function ViewForm<R extends AnyResource, Set extends Messages>(props: ViewFormProps<R, Set>) {
  const { view, t, rows, opened, close } = props;
  const { resource, nameOf, slots } = view;
  const isEdit = opened?.what === "edit";
  const row = isEdit
    ? (rows.find((one) => (one as Record<string, unknown>)[resource.id] === opened.id) ?? null)
    : null;
  const FormBody = slots?.formBody;
  return (
    <ResourceForm
      resource={resource}
      open={opened?.what === "add" || row !== null}
      row={row}
      title={row ? `${t("act.edit")} ${nameOf(row)}` : t(view.addLabel)}
      initial={view.initial}
      fields={view.form?.(t) ?? []}
      onClose={close}
      {...(view.touches && { touches: view.touches })}
    >
      {FormBody && <FormBody row={row} />}
    </ResourceForm>
  );
}
