import { later, OpenedLater } from "#feedback/later.tsx";
import type { VersionsProps } from "./template-versions.tsx";

const Drawer = later(async () => (await import("./template-versions.tsx")).TemplateVersions);

/** The drawer with the versions of a template; its files are loaded when it is opened. */
export function Versions({ open, ...props }: VersionsProps & { readonly open: boolean }) {
  return (
    <OpenedLater open={open} onClose={props.onClose}>
      {open && <Drawer {...props} />}
    </OpenedLater>
  );
}
