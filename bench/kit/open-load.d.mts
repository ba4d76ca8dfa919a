export function openLoad(load: {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly Buffer[];
  readonly again?: boolean;
  readonly perSecond?: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
}): Promise<{
  readonly perSecond: number;
  readonly answered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}>;
