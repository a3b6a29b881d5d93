/** The product's sign: weft threads through a warp. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: "none" }}>
      <rect width="32" height="32" rx="8" fill="#1668dc" />
      <g fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round">
        <path d="M10 7v5m0 5v8M16 7v12m0 5v1M22 7v5m0 5v8" opacity=".7" />
        <path d="M7 14.5h12m5 0h1M7 21.5h5m5 0h8" />
      </g>
    </svg>
  );
}
