import { lazy } from "react";
import { OpenedLater } from "#ui/opened-later.tsx";
import type { VersionsProps } from "./template-versions.tsx";

const Drawer = lazy(async () => ({
  default: (await import("./template-versions.tsx")).TemplateVersions,
}));

/** The drawer with the versions of a template; its files are loaded when it is opened. */
export function Versions({ open, ...props }: VersionsProps & { readonly open: boolean }) {
  return <OpenedLater open={open}>{open && <Drawer {...props} />}</OpenedLater>;
}
