import type { Option } from "#kernel/form/field-props.ts";

/** Time zones to select from, by their IANA names. @param selected a name that browsers may list by another one */
export const timeZones = (selected: string | null = null): Option[] =>
  [...new Set(["UTC", ...(selected ? [selected] : []), ...Intl.supportedValuesOf("timeZone")])].map(
    (value) => ({ value, label: value }),
  );
