import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import type { ComponentType, ReactNode } from "react";
import { type Opened, useOpened } from "#client/opened.ts";
import { useTexts } from "#client/texts.ts";
import type { FurtherWay } from "#feedback/list-files.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { ResourceForm, type ResourceFormProps } from "./form/resource-form.tsx";
import { type Column, plainColumns } from "./list/columns.tsx";
import type { FilterSpec } from "./list/filter-bar.tsx";
import { type AddButton, ListPage } from "./list/list-page.tsx";
import type { RowAction } from "./list/row-actions.tsx";
import { type ResourceList, useResourceList } from "./list/use-list.ts";
import { useSelection } from "./list/use-selection.ts";

/** A field of the row. */
type FieldName<R extends AnyResource> = keyof R["row"]["shape"] & string;

/** The form of a screen: of a new row, and of one that is there. */
interface ViewForm<R extends AnyResource>
  extends Pick<
    ResourceFormProps<R>,
    "initial" | "fields" | "width" | "send" | "draft" | "onSaved" | "touches"
  > {
  /** Instead of `fields`: parts of form/field.tsx. */
  readonly body?: (row: RowOf<R> | null) => ReactNode;
  /** Title while a row is edited; "Edit <name>" by default. */
  readonly editTitle?: (row: RowOf<R>) => string;
  /** Draft of a row that is there, where its fields are not those of a new one. */
  readonly editDraft?: ResourceFormProps<R>["draft"];
}

/** How a resource looks: what the contract does not know. Texts are in the reader's language. */
export interface ResourceView<R extends AnyResource> {
  readonly title: string;
  readonly addLabel: string;
  /** Why nothing can be added now; null: it can. */
  readonly addDisabled?: string | null;
  /** What is shown while there are no rows at all. */
  readonly empty: string;
  /** What people call a row: for titles and confirmations. */
  readonly nameOf: (row: RowOf<R>) => string;
  /** Bare field names: head and cell follow from the field. */
  readonly columns: readonly (FieldName<R> | Column<RowOf<R>>)[];
  readonly filters?: readonly FilterSpec[];
  /** Beside the add button. */
  readonly tools?: ReactNode;
  /** Left of the filters: other lists of the same screen. */
  readonly tabs?: ReactNode;
  readonly form: ViewForm<R>;
  /** What can be done with a row, out of what every row has; those two alone by default. */
  readonly actions?: (row: RowOf<R>, own: OwnActions) => readonly RowAction[];
  /** What can be done with several rows at once; absent: rows are not selected. */
  readonly batch?: (rows: readonly RowOf<R>[], clear: () => void) => readonly RowAction[];
  /** Ways on that stand in one menu with the files. */
  readonly more?: readonly FurtherWay[];
  readonly removal: {
    readonly title?: (row: RowOf<R>) => string;
    /** What stops, for whom, what stays. */
    readonly body: (row: RowOf<R>) => ReactNode;
    /** The button; "Remove" by default. */
    readonly ok?: string;
  };
  /** Other resources whose rows change with these. */
  readonly touches?: readonly string[];
  /** What else opens: by what the address says, with the row that it names. */
  readonly dialogs?: (opened: Opened, row: RowOf<R> | null, close: () => void) => ReactNode;
}

/** Actions that follow from the verbs of a resource. */
interface OwnActions {
  readonly edit: RowAction;
  readonly remove: RowAction;
}

/** What a view may build upon. */
export interface ViewPage<R extends AnyResource> {
  readonly list: ResourceList<R>;
  /** Opens a drawer or dialog, and says so in the address. */
  open(what: string, id?: number): void;
}

type ListOptions<R extends AnyResource> = NonNullable<Parameters<typeof useResourceList<R>>[1]>;

/**
 * The screen of a resource: list, form and removal. Columns and fields that do not exist do not
 * compile. Past its options, write the page out of its parts.
 * @param useView a hook, so that a view may ask for names, the session or permissions
 * @param listOf how the list is asked, by the properties of the page
 */
export const resourcePage = <R extends AnyResource, Props extends object = object>(
  resource: R,
  useView: (page: ViewPage<R>, props: Props) => ResourceView<R>,
  listOf: (props: Props) => ListOptions<R> = () => ({}),
): ComponentType<Props> => {
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, when it is loaded
  return function ResourcePage(props: Props) {
    const list = useResourceList(resource, listOf(props));
    const selection = useSelection<RowOf<R>>(resource.id as never, list);
    const { opened, open, close } = useOpened();
    const view = useView({ list, open }, props);
    const t = useTexts();
    const ownActions = useOwnActions(resource, view, open);
    const { batch } = view;
    const columns = view.columns.flatMap((column) =>
      typeof column === "string" ? plainColumns(resource, t, [column]) : [column],
    );
    const row = list.rows.find((output) => idOf(resource, output) === opened?.id) ?? null;
    const add: AddButton = {
      label: view.addLabel,
      may: resource.may.add,
      disabledReason: view.addDisabled,
      run: () => open("add"),
    };
    return (
      <ListPage
        title={view.title}
        list={list}
        rowKey={resource.id as never}
        columns={columns}
        filters={view.filters ?? []}
        actions={(output) => actionsOf(resource, view, output, ownActions(output))}
        add={resource.verbs.includes("add") ? add : undefined}
        more={view.more ?? []}
        {...(batch && {
          selection,
          batch: (rows: readonly RowOf<R>[]) => batch(rows, selection.clear),
        })}
        tools={view.tools}
        tabs={view.tabs}
        empty={{ text: view.empty, ...(!view.addDisabled && { action: add }) }}
      >
        <RowForm
          resource={resource}
          view={view}
          isAdding={opened?.what === "add"}
          row={opened?.what === "edit" ? row : null}
          onClose={close}
        />
        {opened && view.dialogs?.(opened, row, close)}
      </ListPage>
    );
  };
};

const idOf = (resource: AnyResource, row: object): number =>
  (row as Record<string, unknown>)[resource.id] as number;

const actionsOf = <R extends AnyResource>(
  { verbs }: R,
  { actions }: ResourceView<R>,
  row: RowOf<R>,
  ownActions: OwnActions,
): readonly RowAction[] =>
  actions?.(row, ownActions) ?? [
    ...(verbs.includes("edit") ? [ownActions.edit] : []),
    ...(verbs.includes("remove") ? [ownActions.remove] : []),
  ];

const useOwnActions = <R extends AnyResource>(
  resource: R,
  { removal, nameOf, touches }: ResourceView<R>,
  open: (what: string, id?: number) => void,
): ((row: RowOf<R>) => OwnActions) => {
  const t = useTexts();
  const remove = useRemove(resource, {
    title: ([row]) => removal.title?.(row) ?? t("removal.title", { name: nameOf(row) }),
    body: ([row]) => removal.body(row),
    ...(removal.ok !== undefined && { ok: removal.ok }),
    ...(touches && { touches }),
  });
  return (row) => ({
    edit: {
      key: "edit",
      label: t("act.edit"),
      may: resource.may.edit,
      run: () => open("edit", idOf(resource, row)),
    },
    remove: {
      key: "remove",
      label: t("act.remove"),
      may: resource.may.remove,
      danger: true,
      run: () => void remove([row]),
    },
  });
};

interface RowFormProps<R extends AnyResource> {
  readonly resource: R;
  readonly view: ResourceView<R>;
  readonly isAdding: boolean;
  /** The row that is edited; null: none. */
  readonly row: RowOf<R> | null;
  readonly onClose: () => void;
}

function RowForm<R extends AnyResource>(props: RowFormProps<R>) {
  const { resource, view, isAdding, row, onClose } = props;
  const { body, editTitle, editDraft, ...form } = view.form;
  const t = useTexts();
  const titleOf = editTitle ?? ((output) => `${t("act.edit")} ${view.nameOf(output)}`);
  return (
    <ResourceForm
      {...(view.touches && { touches: view.touches })}
      {...form}
      {...(row !== null && editDraft && { draft: editDraft })}
      resource={resource}
      open={isAdding || row !== null}
      row={row}
      title={row ? titleOf(row) : view.addLabel}
      onClose={onClose}
    >
      {body?.(row)}
    </ResourceForm>
  );
}
