import type { Instant } from '#domain/shared/time.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { adminApi } from '../admin-api.ts';

/** A row of `GET /admin/staff`. An open invitation has no name, and `invitedUntil`. */
export type StaffMember = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly StaffRole[];
  readonly disabled: boolean;
  /** Signing in takes a second factor. */
  readonly totp: boolean;
  readonly lastSeenAt: Instant | null;
  readonly invitedUntil?: Instant;
};

type Change = { readonly id: string; readonly roles?: readonly StaffRole[]; readonly disabled?: boolean };

const staffApi = adminApi.enhanceEndpoints({ addTagTypes: ['Staff'] }).injectEndpoints({
  endpoints: (build) => ({
    staff: build.query<readonly StaffMember[], void>({
      query: () => ({ url: '/admin/staff', fallback: 'The staff could not be loaded. Check your connection.' }),
      transformResponse: ({ staff }: { readonly staff: readonly StaffMember[] }) => staff,
      providesTags: ['Staff'],
    }),
    /** Mails a link. It replaces an earlier one to the address. */
    inviteStaff: build.mutation<StaffMember, { readonly email: string; readonly roles: readonly StaffRole[] }>({
      query: (data) => ({ url: '/admin/staff', method: 'POST', data, fallback: 'The invitation could not be sent. Please try again.' }),
      invalidatesTags: ['Staff'],
    }),
    /** Its answer is in the list at once, since the next change of a member's roles is computed from the list. */
    changeStaff: build.mutation<StaffMember, Change>({
      query: ({ id, ...data }) => ({
        url: `/admin/staff/${id}`,
        method: 'PUT',
        data,
        fallback: 'The rights could not be changed. Please try again.',
      }),
      invalidatesTags: ['Staff'],
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        // A list that was asked for before the change would bring back what the change takes away.
        dispatch(staffApi.util.getRunningQueryThunk('staff', undefined))?.abort();
        try {
          const { data } = await queryFulfilled;
          const withAnswer = (staff: readonly StaffMember[]) => staff.map((member) => (member._id === data._id ? data : member));
          dispatch(staffApi.util.updateQueryData('staff', undefined, withAnswer));
        } catch {
          // The panel shows the refusal.
        }
      },
    }),
  }),
});

export const { useStaffQuery, useInviteStaffMutation, useChangeStaffMutation } = staffApi;
