import { operaRecordModules } from "@weft/contract/domains/access/record.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { useCall } from "#client/use-call.ts";
import type { FilterOption } from "#kernel/list/filter-bar.tsx";

/** What the operation log can be narrowed to, as the controller names it. */
export function useModules(language: Language): readonly FilterOption[] {
  const { data = [] } = useCall(operaRecordModules, {});
  return data.map(({ module, title }) => ({
    value: module,
    label: formatMessage(title, language),
  }));
}
