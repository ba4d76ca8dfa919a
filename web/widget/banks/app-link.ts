/** What the fast payment system calls its payment links. */
const SBP_LINK = /^https:\/\/(qr\.nspk\.ru\/.+)$/i;
const SCHEME = /^bank[0-9]{12}$/;

/** The same link for the app of one bank: `bank100000000111://qr.nspk.ru/…`. Undefined: the app takes no such link. */
export function appLink(url: string | undefined, scheme: string | undefined): string | undefined {
  const address = SBP_LINK.exec(url ?? "")?.[1];
  return address === undefined || !SCHEME.test(scheme ?? "") ? undefined : `${scheme}://${address}`;
}
