import { cpeReboot } from "@weft/contract/domains/devices/cpe-actions.ts";
import Button from "antd/es/button";
import Password from "antd/es/input/Password";
import { useId, useState } from "react";
import { useAction } from "#feedback/use-action.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

/** Restarts a device after the login password was typed once more. */
export function RebootDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  const id = useId();
  const [password, setPassword] = useState("");
  const reboot = useAction(cpeReboot, { done: t("command.rebooted"), touches: ["nodeState"] });
  const send = async (): Promise<void> => {
    if (await reboot.act({ cpeId: node.id, password })) onClose();
  };
  return (
    <Modal
      open
      title={t("command.rebootTitle", { name: node.name })}
      width={460}
      footer={null}
      onCancel={onClose}
    >
      <form
        className="w-confirm"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label className="w-field" htmlFor={id}>
          <span className="w-field-label">{t("command.password")}</span>
          <Password
            id={id}
            autoFocus
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        <div className="w-confirm-foot">
          <Button onClick={onClose}>{t("act.cancel")}</Button>
          <Button
            type="primary"
            danger
            htmlType="submit"
            disabled={password === ""}
            loading={reboot.isActing}
          >
            {t("command.reboot")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
