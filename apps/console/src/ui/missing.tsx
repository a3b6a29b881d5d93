/** What is not there: neither zero nor green. The reason shows on hover. */
export function Missing({ reason }: { readonly reason?: string | undefined }) {
  return (
    <span className="w-missing" title={reason}>
      —
    </span>
  );
}
