/* From an order to a configuration. */
#ifndef WEIR_OBJECT_PLAN_H
#define WEIR_OBJECT_PLAN_H

#include "object/order.h"

/* Chooses the kind, the backoff and all other members of the configuration, and says how many bytes
 * such an object takes. Refuses what cannot be. */
weir_status weir_order_plan(weir_device *device, const weir_order *order, weir_any_config *config,
                            size_t *bytes);

/* The same for a group: a poll, and behind it a barrier for as many blocks as could ever run together. */
weir_status weir_group_plan(weir_device *device, const weir_order *order, weir_any_config *config,
                            size_t *bytes);

/* The bytes that lie before the words of the object. */
size_t weir_order_lead(const weir_order *order, const weir_any_config *config);

#endif
