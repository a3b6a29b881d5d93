import { acts } from "@weft/contract/effects.ts";
import { useTexts } from "#client/texts.ts";

interface Props {
  /** Name of the resource, or "cpeConfig"; undefined: nothing that devices know. */
  readonly about: string | undefined;
  /** One of its fields, with the value that the form holds. */
  readonly name?: string;
  readonly value?: unknown;
}

/** Says of a resource, a field or a value that it is saved and no device carries it out yet. */
export function SavedOnly({ about, name, value }: Props) {
  const t = useTexts();
  if (about === undefined) return null;
  const subjects = name === undefined ? [about] : [`${about}.${name}`, `${about}.${name}.${value}`];
  return subjects.every((subject) => acts(subject)) ? null : (
    <div className={name === undefined ? "w-quiet w-saved-only" : "w-quiet"}>
      {t("effect.notYet")}
    </div>
  );
}
