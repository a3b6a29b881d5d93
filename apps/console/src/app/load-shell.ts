import type { ComponentType } from "react";

let shell: ComponentType | null = null;
/** The shell, once its code is there; null: it is not. */
export const loadedShell = (): ComponentType | null => shell;

/** Fetches it. */
export const loadSignedIn = async (): Promise<ComponentType> => {
  const { SignedIn } = await import("./signed-in.tsx");
  shell = SignedIn;
  return SignedIn;
};
