import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Put,
  UseGuards,
} from "@nestjs/common";
import { ShopService } from "./shop.service.ts";
import { plans, Store } from "./store.ts";
import { WebhookGuard } from "./webhook.guard.ts";

type Form = { readonly [Field in "id" | "plan" | "card"]: string } & { readonly customer: object };

/** What the shop reads of an event: of a checkout, or of anything else. */
interface PaymentEvent {
  readonly externalId?: string;
  readonly data?: { readonly attributes?: { readonly externalId?: string } };
}

@Controller()
export class ShopController {
  constructor(
    private readonly shop: ShopService,
    private readonly store: Store,
  ) {}

  @Post("orders")
  checkOut(@Body() { id, customer }: Form) {
    return this.shop.checkOut(id, customer);
  }

  @Post("memberships")
  join(@Body() { id, plan, customer, card }: Form) {
    if (!Object.hasOwn(plans, plan)) throw new BadRequestException("We do not sell this plan");
    return this.shop.join(id, plan, customer, card);
  }

  @Put("memberships/:id/card")
  changeCard(@Param("id") id: string, @Body() { card }: Form) {
    const membership = this.store.memberships.get(id);
    if (membership === undefined) throw new NotFoundException();
    return this.shop.changeCard(membership, card);
  }

  /** Customers come back to these, too. */
  @Get(["orders/:id", "memberships/:id"])
  async look(@Param("id") id: string) {
    const found = await this.shop.refresh(id);
    if (found === undefined) throw new NotFoundException();
    return found;
  }

  @Post("webhooks")
  @HttpCode(204)
  @UseGuards(WebhookGuard)
  async receive(@Body() event?: PaymentEvent | null) {
    const id = event?.externalId ?? event?.data?.attributes?.externalId;
    if (id !== undefined) await this.shop.refresh(id);
  }

  @Post("jobs/refresh")
  @HttpCode(204)
  async refreshAll() {
    await this.shop.refreshAll();
  }
}
