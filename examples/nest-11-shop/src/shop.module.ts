import { Module } from "@nestjs/common";
import type { DynamicModule } from "@nestjs/common";
import { PaymentsService, Settings } from "./payments.service";
import { ShopController } from "./shop.controller";
import { ShopService } from "./shop.service";
import { Store } from "./store";

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
