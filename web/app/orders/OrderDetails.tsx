import { ArtisanCircle } from '../../features/newsletter/ArtisanCircle.tsx';
import { OrderDetailsPage } from '../../features/orders/details/OrderDetailsPage.tsx';

/** An order, and under it the newsletter: two features meet. */
export const OrderDetails = () => <OrderDetailsPage Newsletter={ArtisanCircle} />;
