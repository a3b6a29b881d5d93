import {
  staleRow,
  type Versioned,
  versionField,
  versionOf,
} from "@weft/contract/kernel/row-version.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { CallError } from "#client/call.ts";
import { later } from "#feedback/later.tsx";
import type { ShownField } from "./field-value.tsx";
import { type Met, mergeOf } from "./merge.ts";

// Few forms ever meet another edit: its panel is fetched when one does.
const MergePanel = later(async () => (await import("./merge-panel.tsx")).MergePanel);

type Values = Readonly<Record<string, unknown>>;

/** The part of a form that is needed here. */
interface Form {
  readonly values: Values;
  readonly fields: ReadonlyMap<string, ShownField>;
  set(name: string, value: unknown): void;
}

/** Fields of the stored row in the form that a draft has in memory. */
const storedOf = ({ row }: Versioned, current: Values, base: Values): Values =>
  Object.fromEntries(
    Object.entries((row as z.ZodObject).shape as Record<string, z.ZodType>).flatMap(
      ([name, schema]) => {
        // Settings have forms that hold a part of them.
        if (!(name in base)) return [];
        const read = name in current ? checkWire(schema, current[name]) : null;
        return read?.ok ? [[name, read.value] as const] : [];
      },
    ),
  );

/**
 * Saves with the version of the row that the form was filled from. When someone else changed the
 * row meanwhile, what only they changed is taken over into the form, and `panel` says so; what both
 * changed is selected there. The next save names the version that was merged with.
 */
export const useStaleRow = (resource: Versioned | null, row: object | null, start: Values) => {
  // A list that is refetched while the form is open is newer than the form.
  const [base, setBase] = useState(() => ({
    version: row === null ? null : versionOf(row),
    values: start,
  }));
  const [met, setMet] = useState<Met | null>(null);
  // True: it was a refusal for that, and the form now holds the merged values.
  const meets = (error: unknown, form: Form): boolean => {
    const read = error instanceof CallError ? checkWire(staleRow, error.data) : null;
    if (!read?.ok || resource === null) return false;
    const { current, changes, [versionField]: version } = read.value;
    const stored = storedOf(resource, current, base.values);
    const merge = mergeOf(base.values, form.values, stored);
    for (const name of merge.theirs) form.set(name, stored[name]);
    setMet({ changes, base: base.values, stored, mine: form.values, merge });
    setBase({ version, values: { ...base.values, ...stored } });
    return true;
  };
  return {
    /**
     * Sends an edit with the version, a field of it.
     * @returns null when it met someone else's: the form then shows both
     */
    async save<Answer>(
      form: Form,
      send: (version: { readonly [versionField]?: string }) => Promise<Answer>,
    ): Promise<Answer | null> {
      try {
        return await send(base.version === null ? {} : { [versionField]: base.version });
      } catch (error) {
        if (meets(error, form)) return null;
        throw error;
      }
    },
    panel: (form: Form): ReactNode => met && <MergePanel met={met} form={form} />,
  };
};
