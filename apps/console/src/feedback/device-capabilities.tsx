import { acts } from "@weft/contract/effects.ts";
import { createContext, type ReactNode, useContext, useMemo } from "react";

type Capabilities = NonNullable<Parameters<typeof acts>[1]>;

/** Null: not known yet, and nothing is shown. */
const CapabilitiesContext = createContext<Capabilities | null>([]);

interface Props {
  /** That the devices in question have, by name; null: not known yet. */
  readonly capabilities: readonly string[] | null;
  readonly children: ReactNode;
}

/** Whether anything carries out what is saved inside is decided by these devices. */
export function CapabilitiesProvider({ capabilities, children }: Props) {
  const known = useMemo(
    () => capabilities?.map((name) => ({ name, can: true })) ?? null,
    [capabilities],
  );
  return <CapabilitiesContext value={known}>{children}</CapabilitiesContext>;
}

/** Whether the devices in question carry a subject out, as `acts` names it; outside of them: any device. */
export const useTakesEffect = (): ((subject: string) => boolean) => {
  const capabilities = useContext(CapabilitiesContext);
  return (subject) => capabilities === null || acts(subject, capabilities);
};
