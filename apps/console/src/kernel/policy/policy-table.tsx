import { ofKind, type PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import type { z } from "zod";
import { EmptyState } from "#kernel/feedback/empty-state.tsx";
import { useRemove } from "#kernel/feedback/use-remove.ts";
import { isNullable } from "#kernel/form/field-schema.ts";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { useOpened } from "#kernel/list/opened.ts";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { May } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { type PolicyHolder, scopeOfHolder } from "./choices.ts";
import { policyMessages } from "./messages.ts";
import { usePolicyColumns } from "./policy-columns.tsx";
import { PolicyField } from "./policy-field.tsx";
import styles from "./policy-table.module.css";
import type { PolicyPart } from "./sections.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** What a new object starts with; what is not named here starts empty. */
const starts: Readonly<Record<string, unknown>> = {
  enable: true,
  ttlIncrement: 0,
  natLbextra: 0,
  natType: 0,
  lineGroup: 0,
  flags: 0,
  action: 0,
  direction: 0,
  dnsroute: 0,
  returnTrip: 0,
  nPid: 0,
  l7pro: [],
  l7ids: [],
  effectivedate: [],
  weekdays: [1, 2, 3, 4, 5],
  protocol: "tcp",
  lineQuality: 0,
  accessType: 0,
  allowOnlyHost: true,
};

const fieldsOf = ({ spec }: PolicyFamily): string[] =>
  Object.keys(spec.fields.shape).filter((field) => field !== "kind" && field !== "remark");

const initialOf = (family: PolicyFamily, holder: PolicyHolder, kind: string | undefined) => ({
  ...Object.fromEntries(
    Object.entries(family.spec.fields.shape).map(([field, schema]) => [
      field,
      starts[field] ?? (isNullable(schema as z.ZodType) ? null : ""),
    ]),
  ),
  ...holder,
  ...(kind !== undefined && { kind }),
});

interface Props {
  readonly part: PolicyPart;
  readonly holder: PolicyHolder;
  /** Whose holder it is decides who may write. */
  readonly may: Permission;
}

/** Rows of one family with their drawer. */
export function PolicyTable({ part, holder, may }: Props) {
  const { family, kind } = part;
  const t = useTexts(policyMessages);
  const scoped = family[scopeOfHolder(holder)];
  const resource: AnyResource = kind === undefined ? scoped.resource : ofKind(scoped, kind);
  const list = useResourceList(resource, {
    fixed: holder as never,
    inUrl: false,
  }) as unknown as List<Row>;
  const columns = usePolicyColumns(part, holder);
  const { opened, open, close } = useOpened();
  const word = `${family.name}${kind ?? ""}`;
  const what = family.spec.title[t.language === "zh_cn" ? 0 : 1];
  const nameOf = (row: Row) => String(row[family.spec.label] ?? row.id);
  const touches = [family.name, ...(kind === undefined ? [] : ["routerInterface"])];
  const remove = useRemove(resource, {
    title: ([row]) => t("policy.removeTitle", { what, name: nameOf(row as Row) }),
    body: () => t("policy.removeBody"),
    inside: holder,
    touches,
  });
  const { rows } = list;
  const row = opened?.what === word ? (rows.find(({ id }) => id === opened.id) ?? null) : null;
  const has = (verb: "add" | "edit" | "remove") => resource.verbs.includes(verb);
  return (
    <section aria-label={what} className={styles.table}>
      <header className={styles.head}>
        <h2>{kind === undefined ? what : `${what} · ${kind}`}</h2>
        {has("add") && (
          <May code={may}>
            <Button type="primary" onClick={() => open(`add${word}`)}>
              {t("policy.add", { what })}
            </Button>
          </May>
        )}
      </header>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columns}
        empty={<EmptyState kind="good" text={t("policy.empty", { what })} />}
        actions={(one: Row) => [
          ...(has("edit")
            ? [{ key: "edit", label: t("act.edit"), may, run: () => open(word, one.id) }]
            : []),
          ...(has("remove")
            ? [
                {
                  key: "remove",
                  label: t("act.remove"),
                  may,
                  danger: true,
                  run: () => void remove([one]),
                },
              ]
            : []),
        ]}
      />
      <ResourceForm
        resource={resource}
        open={opened?.what === `add${word}` || row !== null}
        row={row}
        title={row ? t("policy.edit", { what, name: nameOf(row) }) : t("policy.add", { what })}
        initial={initialOf(family, holder, kind) as never}
        touches={touches}
        onClose={close}
      >
        {[...fieldsOf(family), ...("remark" in family.spec.fields.shape ? ["remark"] : [])].map(
          (name) => (
            <PolicyField key={name} family={family} name={name} holder={holder} />
          ),
        )}
      </ResourceForm>
    </section>
  );
}
