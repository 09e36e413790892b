"use strict";

const { cookies } = require("next/headers");
const { NextRequest, NextResponse } = require("next/server");

exports.POST = async (request) => {
  const { id } = await request.json();
  (await cookies()).set("order", id);
  return NextResponse.json({ id, isNext: request instanceof NextRequest }, { status: 201 });
};
