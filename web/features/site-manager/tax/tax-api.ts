import type { Instant } from '#domain/shared/time.ts';
import type { TaxRule } from '#domain/tax/tax.ts';
import { adminApi } from '../admin-api.ts';

/** A rule, and who set it when. */
export type SetRule = TaxRule & { readonly setAt: Instant; readonly by: string };

type NewRule = { readonly hsn: string; readonly rate: number; readonly from: string };

const taxApi = adminApi.enhanceEndpoints({ addTagTypes: ['Tax'] }).injectEndpoints({
  endpoints: (build) => ({
    /** In the order in which they were set. */
    taxRules: build.query<readonly SetRule[], void>({
      query: () => ({ url: '/admin/tax', fallback: 'The tax rates could not be loaded' }),
      transformResponse: ({ rules }: { readonly rules: readonly SetRule[] }) => rules,
      providesTags: ['Tax'],
    }),
    setTaxRate: build.mutation<TaxRule, NewRule>({
      query: (rule) => ({ url: '/admin/tax', method: 'POST', data: rule, fallback: 'The rate could not be set. Try again.' }),
      invalidatesTags: ['Tax'],
    }),
  }),
});

export const { useTaxRulesQuery, useSetTaxRateMutation } = taxApi;
