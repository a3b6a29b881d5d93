import { operaRecordModules } from "@weft/contract/domains/access/record.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { useCall } from "#client/use-call.ts";

export interface ModuleTexts {
  /** What people call a module; its key where the controller has no name for it. */
  textOf(module: string): string;
  /** Modules that the log can be narrowed to. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** What rows of the operation log are about, as the controller names it. */
export function useModules(language: Language): ModuleTexts {
  const { data = [] } = useCall(operaRecordModules, {});
  const texts = new Map(
    data.map(({ module, title }) => [module, formatMessage(title, language)] as const),
  );
  return {
    textOf: (module) => texts.get(module) ?? module,
    options: [...texts].map(([value, label]) => ({ value, label })),
  };
}
