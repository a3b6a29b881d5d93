import type { ModalProps } from "antd/es/modal";
// Without the dialogs that are called and not rendered, which the other module brings along.
import LibraryModal from "antd/es/modal/Modal";
import { useFocusReturn } from "./use-focus-return.ts";

/**
 * A dialog of the library that gives the focus back to where it was. The library's placeholder for its content is left out of the
 * build (left-out.ts).
 */
export function Modal(props: Omit<ModalProps, "loading">) {
  const leaving = useFocusReturn(props.open ?? false);
  return (
    <LibraryModal
      {...props}
      rootClassName={`${props.rootClassName ?? ""} ${leaving}`.trim()}
      focusable={{ ...props.focusable, focusTriggerAfterClose: false }}
    />
  );
}
