export function httpRequest(path: string, headers: Readonly<Record<string, string>>, body: string): Buffer;
