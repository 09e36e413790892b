import { Module } from "@nestjs/common";
import type { DynamicModule } from "@nestjs/common";
import { PaymentsService, Settings } from "./payments.service.ts";
import { ShopController } from "./shop.controller.ts";
import { ShopService } from "./shop.service.ts";
import { Store } from "./store.ts";

@Module({ controllers: [ShopController], providers: [PaymentsService, ShopService] })
export class ShopModule {
  static register(settings: Settings, store: Store): DynamicModule {
    const providers = [
      { provide: Settings, useValue: settings },
      { provide: Store, useValue: store },
    ];
    return { module: ShopModule, providers };
  }
}
