import LibraryDrawer, { type DrawerProps } from "antd/es/drawer";
import { useFocusReturn } from "./use-focus-return.ts";

/**
 * A drawer of the library that gives the focus back to where it was. The library's placeholder for its content is left out of the
 * build (left-out.ts).
 */
export function Drawer(props: Omit<DrawerProps, "loading">) {
  const leaving = useFocusReturn(props.open ?? false);
  return (
    <LibraryDrawer
      {...props}
      rootClassName={`${props.rootClassName ?? ""} ${leaving}`.trim()}
      focusable={{ ...props.focusable, focusTriggerAfterClose: false }}
    />
  );
}
