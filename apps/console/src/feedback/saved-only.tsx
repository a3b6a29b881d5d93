import { useTexts } from "#client/texts.ts";
import { StateText } from "#ui/glyph.tsx";
import { useTakesEffect } from "./device-capabilities.tsx";

interface Props {
  /** Name of the resource, or "cpeConfig"; undefined: nothing that concerns devices. */
  readonly about: string | undefined;
  /** One of its fields, with the current value of the form. */
  readonly name?: string;
  readonly value?: unknown;
}

/** Marks a resource, a field or a value that is saved but not applied by any device yet. */
export function SavedOnly({ about, name, value }: Props) {
  const t = useTexts();
  const acts = useTakesEffect();
  if (about === undefined) return null;
  const subjects = name === undefined ? [about] : [`${about}.${name}`, `${about}.${name}.${value}`];
  return subjects.every((subject) => acts(subject)) ? null : (
    <div className={name === undefined ? "w-quiet w-saved-only" : "w-quiet"}>
      <StateText glyph="unsupported" label={t("effect.notYet")} />
    </div>
  );
}
