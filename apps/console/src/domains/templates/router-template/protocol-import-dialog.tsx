import Button from "antd/es/button";
import { useState } from "react";
import { May } from "#client/session.tsx";
import { startConfig } from "#client/start-config.ts";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { FileButton } from "#parts/import/file-button.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { type ImportFault, maxBytes, patienceMs, sendProtocolFile } from "./protocol-import.ts";
import { protocolImportMessages } from "./protocol-import-messages.ts";

/** The way to the protocol import; nothing where this installation has no such service. */
export function ProtocolImportButton({ onOpen }: { readonly onOpen: () => void }) {
  const t = useTexts(protocolImportMessages);
  if (startConfig().protocolImportUrl === null) return null;
  return (
    <May code="routerTemplateEdit">
      <Button onClick={onOpen}>{t("protocolImport.open")}</Button>
    </May>
  );
}

/** Has a person pick a file for the service elsewhere, and shows its answer. */
export function ProtocolImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(protocolImportMessages);
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const url = startConfig().protocolImportUrl;
  if (url === null) return null;
  const faultText = (importFault: ImportFault): string => {
    if (importFault.why === "status")
      return t("protocolImport.status", { status: importFault.status });
    if (importFault.why !== "refused") return t(`protocolImport.${importFault.why}`, numbers);
    return t("protocolImport.refused", { reason: importFault.reason || t("missing") });
  };
  const send = async (file: File): Promise<void> => {
    setBusy(true);
    setFault(null);
    const found = await sendProtocolFile(url, file);
    setBusy(false);
    if (found) return setFault(`${file.name}: ${faultText(found)}`);
    toast.done(t("protocolImport.done", { name: file.name }));
    onClose();
  };
  return (
    <Modal
      open
      title={t("protocolImport.open")}
      footer={<Button onClick={onClose}>{t("act.cancel")}</Button>}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>{t("protocolImport.help", { host: new URL(url).host, ...numbers })}</p>
      <FileButton
        label={t("protocolImport.choose")}
        isBusy={isBusy}
        onPick={(file) => void send(file)}
      />
      <div aria-live="polite">{fault && <p className="w-bad">■ {fault}</p>}</div>
    </Modal>
  );
}

const numbers = { most: maxBytes / 1024 / 1024, seconds: patienceMs / 1000 };
