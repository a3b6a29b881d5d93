import { recordKinds } from "@weft/contract/domains/access/enums.ts";
import { type operaRecordList, operaRecordModules } from "@weft/contract/domains/access/record.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { useState } from "react";
import { useCall } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import type { FilterOption, FilterSpec } from "#kernel/list/filter-bar.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";
import { type Operation, textOf, useRecordTexts } from "./record-texts.ts";

/** What the operation log can be narrowed to, as the controller names it. */
function useModules(language: Language): readonly FilterOption[] {
  const { data = [] } = useCall(operaRecordModules, {});
  return data.map(({ module, title }) => ({
    value: module,
    label: formatMessage(title, language),
  }));
}

type Query = Omit<InputOf<typeof operaRecordList>, "page" | "limit">;
type Log = Pick<List<Operation, Query>, "rows" | "filters">;

/** Filters of the operation log. Row and template come by an address: they are there to be cleared. */
export function useOperationFilters({ rows, filters }: Log): FilterSpec[] {
  const t = useRecordTexts();
  const modules = useModules(t.language);
  const [first] = rows;
  const given = (key: "rowId" | "templateId", label: string, name: string): FilterSpec[] => {
    const value = filters[key];
    if (value === null) return [];
    return [{ key, kind: "select", label, options: [{ value, label: name || `#${value}` }] }];
  };
  return [
    { key: "loginName", kind: "text", label: t("record.who") },
    {
      key: "kind",
      kind: "select",
      label: t("record.kind"),
      options: recordKinds.map((value) => ({ value, label: t.code("recordKind", value) })),
    },
    { key: "module", kind: "select", label: t.field("module"), options: modules },
    { key: "nodeId", kind: NodeFilter, label: t("record.node") },
    { key: "groupid", kind: EnterpriseFilter, label: t.field("enterpriseName") },
    ...given("rowId", t("record.object"), first ? textOf(first.object, t) : ""),
    ...given("templateId", t("record.template"), first?.templateName ?? ""),
  ];
}

/** One CPE or POP; they are asked for when there is something to choose or to name. */
function NodeFilter(props: FilterProps) {
  const { value } = props;
  const [isOpened, setOpened] = useState(value !== null);
  const input = isOpened || value !== null ? {} : null;
  const pops = useCall(pop.ops.combo, input);
  const cpes = useCall(cpe.ops.combo, input);
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])];
  return (
    <ChoiceFilter
      {...props}
      width={200}
      isSearched
      isLoading={isOpened && nodes.length === 0 && cpes.isFirstLoad}
      options={nodes.map(({ id, name }) => ({ value: id, label: name }))}
      onOpen={() => setOpened(true)}
    />
  );
}
