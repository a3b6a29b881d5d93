import type { Use } from "@weft/contract/domains/access/uses.ts";
import { ofKind, type PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import { type ReactNode, useMemo } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { May } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useHitsColumns } from "#domains/policies/parts/hits/hits-column.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { pathOfUse } from "#feedback/uses-of-rows.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { FieldGroup, When } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type PolicyOwner, scopeOfOwner } from "./choices.ts";
import {
  applies,
  type FieldsTogether,
  formPlan,
  isDependent,
  onlyApplying,
  startOf,
  startsOfKind,
} from "./form-plan.ts";
import { policyMessages } from "./messages.ts";
import { usePolicyColumns } from "./policy-columns.tsx";
import { useEffectColumn } from "./policy-effect.ts";
import { PolicyField } from "./policy-field.tsx";
import type { PolicyPart } from "./policy-part.ts";
import styles from "./policy-table.module.css";
import { type PolicySectionKey, policySections } from "./sections.ts";

interface PolicyFormProps {
  readonly family: PolicyFamily;
  /** Of the owner's scope. */
  readonly resource: AnyResource;
  readonly owner: PolicyOwner;
  /** Rows of one kind only. */
  readonly kind: string | undefined;
  readonly open: boolean;
  /** null: a new one. */
  readonly row: object | null;
  readonly title: string;
  readonly touches: readonly string[];
  readonly onClose: () => void;
}

const initialOf = ({ family, owner, kind }: PolicyFormProps) => ({
  ...Object.fromEntries(
    Object.keys(family.spec.fields.shape).map((field) => [field, startOf(family, field)]),
  ),
  ...owner,
  ...startsOfKind(kind),
});

/** The drawer of one policy object: only fields that mean something beside the others. */
function PolicyForm(props: PolicyFormProps) {
  const { family, owner } = props;
  const send = useMemo(() => (draft: object) => onlyApplying(family, draft as never), [family]);
  return (
    <ResourceForm
      resource={props.resource}
      open={props.open}
      row={props.row as never}
      title={props.title}
      initial={initialOf(props) as never}
      touches={props.touches}
      send={send as never}
      onClose={props.onClose}
    >
      <Fields family={family} owner={owner} row={props.row} />
    </ResourceForm>
  );
}

function Fields({ family, owner, row }: Pick<PolicyFormProps, "family" | "owner" | "row">) {
  const t = useTexts(policyMessages);
  const draft = useDraftValues<Record<string, unknown>>();
  const { first, together, last } = formPlan(family);
  const shown = (fields: readonly string[]) =>
    fields.filter((field) => applies(family, field, draft));
  const field = (name: string) => {
    const element = <PolicyField key={name} family={family} name={name} owner={owner} row={row} />;
    return isDependent(family, name) ? <When key={name}>{element}</When> : element;
  };
  const group = ({ title, fields }: FieldsTogether) => {
    const present = shown(fields);
    if (present.length === 0) return null;
    return (
      <FieldGroup key={title} title={t(title)}>
        {present.map(field)}
      </FieldGroup>
    );
  };
  return (
    <>
      {shown(first).map(field)}
      {together.map(group)}
      {last.map(field)}
    </>
  );
}

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

interface Props {
  readonly part: PolicyPart;
  readonly owner: PolicyOwner;
  /** Whose owner it is decides who may write. */
  readonly may: Permission;
  /** The first table of its section: one button of a screen is the main one. */
  readonly isMain: boolean;
}

/** After a Chinese verb a name that starts in Latin letters is set off by a space: "新增 DNS 组". */
const afterHan = (name: string): string => (/^[A-Za-z]/.test(name) ? ` ${name}` : name);

/** The section that has the rows of a family. */
const sectionOf = (name: string): PolicySectionKey | undefined =>
  (Object.keys(policySections) as PolicySectionKey[]).find((key) =>
    policySections[key].some(({ family }) => family.name === name),
  );

/** The section in which a policy object that uses another is edited. */
function pathOfPolicyUse(use: Use): string | null {
  const section = sectionOf(use.resource);
  if (use.templateId !== null) return paths.templateSection(use.templateId, section);
  // Objects of a node are used on that node only: another section of this page.
  return section === undefined ? pathOfUse(use) : `?section=${section}`;
}

/** What one table is of, and how it speaks of it. */
function usePart({ part, owner }: Pick<Props, "part" | "owner">) {
  const { family, kind } = part;
  const t = useTexts(policyMessages);
  const scoped = family[scopeOfOwner(owner)];
  const {
    title: [zh, en],
    plural,
  } = family.spec;
  const resource: AnyResource = kind === undefined ? scoped.resource : ofKind(scoped, kind);
  return {
    family,
    kind,
    resource,
    t,
    /** Of the dialogs in the address. */
    dialogKey: `${family.name}${kind ?? ""}`,
    title: t.language === "zh_cn" ? zh : plural,
    /** Inside of a sentence. */
    what: t.language === "zh_cn" ? afterHan(zh) : en,
    many: t.language === "zh_cn" ? afterHan(zh) : plural,
    nameOf: (row: Row) => String(row[family.spec.label] ?? row.id),
    touches: [family.name, "policyFinding", ...(kind === undefined ? [] : ["routerInterface"])],
    has: (verb: "add" | "edit" | "remove") => resource.verbs.includes(verb),
  };
}

type Part = ReturnType<typeof usePart>;

/** Rows of one family with their drawer. */
export function PolicyTable(props: Props) {
  const { part, owner, may, isMain } = props;
  const of = usePart(props);
  const { t, kind, resource, title, what, many, dialogKey, nameOf, has } = of;
  const list = useResourceList(resource, {
    fixed: owner as never,
    inUrl: false,
  }) as unknown as List<Row>;
  const effect = useEffectColumn(part.family, owner, list.rows);
  const [name, ...others] = usePolicyColumns(part, owner);
  const hits = useHitsColumns({
    family: part.family.name,
    rows: list.rows,
    nameOf,
    idOf: ({ id }) => id,
  });
  const columns = [...(name ? [name] : []), effect, ...hits, ...others];
  const dialogs = useOpened();
  const { open } = dialogs;
  const remove = useRemove(resource, {
    title: ([row]) => t("policy.removeTitle", { what, name: nameOf(row as Row) }),
    body: () => t("policy.removeBody"),
    inside: owner,
    touches: of.touches,
    linkOf: pathOfPolicyUse,
  });
  const rowActions = {
    edit: (row: Row): RowAction => ({
      key: "edit",
      label: t("act.edit"),
      may,
      run: () => open(dialogKey, row.id),
    }),
    remove: (row: Row): RowAction => ({
      key: "remove",
      label: t("act.remove"),
      may,
      danger: true,
      run: () => void remove([row]),
    }),
  };
  const verbs = (["edit", "remove"] as const).filter(has);
  return (
    <section aria-label={title} className={styles.table}>
      <Head
        title={kind === undefined ? title : `${title} · ${t(`policy.kind.${kind}`)}`}
        may={may}
        isMain={isMain}
        files={<ListFiles list={list} />}
        actions={[
          ...(has("add")
            ? [{ label: t("policy.add", { what }), run: () => open(`add${dialogKey}`) }]
            : []),
        ]}
      />
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columns}
        empty={<EmptyState kind="good" text={t("policy.empty", { what: many })} />}
        actions={(row: Row) => verbs.map((verb) => rowActions[verb](row))}
      />
      <Dialogs of={of} owner={owner} rows={list.rows} {...dialogs} />
    </section>
  );
}

interface DialogsProps extends ReturnType<typeof useOpened> {
  readonly of: Part;
  readonly owner: PolicyOwner;
  readonly rows: readonly Row[];
}

function Dialogs({ of, owner, rows, opened, close }: DialogsProps) {
  const { t, family, what, dialogKey } = of;
  const row = opened?.what === dialogKey ? (rows.find(({ id }) => id === opened.id) ?? null) : null;
  return (
    <PolicyForm
      family={family}
      resource={of.resource}
      owner={owner}
      kind={of.kind}
      open={opened?.what === `add${dialogKey}` || row !== null}
      row={row}
      title={row ? t("policy.edit", { what, name: of.nameOf(row) }) : t("policy.add", { what })}
      touches={of.touches}
      onClose={close}
    />
  );
}

interface HeadProps {
  readonly title: string;
  readonly may: Permission;
  readonly isMain: boolean;
  /** The last one is what is done most. */
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
  /** Left of them. */
  readonly files: ReactNode;
}

function Head({ title, may, isMain, actions, files }: HeadProps) {
  return (
    <header className={styles.head}>
      <h2>{title}</h2>
      <May code={may}>
        <span className={styles.tools}>
          {files}
          {actions.map(({ label, run }, place) => (
            <Button
              key={label}
              type={isMain && place === actions.length - 1 ? "primary" : "default"}
              onClick={run}
            >
              {label}
            </Button>
          ))}
        </span>
      </May>
    </header>
  );
}
