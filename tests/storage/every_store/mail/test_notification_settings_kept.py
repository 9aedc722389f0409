"""How people want to be told what concerns them, on every engine."""

from dataclasses import replace

from server.storage.tables.notification_settings import NotificationSettings

ANNAS = NotificationSettings("anna", "Europe/Madrid", 22 * 60, 7 * 60, ("result", "reminder"))


async def test_what_somebody_has_chosen_is_kept_until_they_choose_again_or_leave(place):
    store = await place.open()
    assert await store.notification_settings.of("anna") == NotificationSettings("anna")
    await store.notification_settings.keep(replace(ANNAS, zone=""))
    await store.notification_settings.keep(ANNAS)
    await store.notification_settings.keep(NotificationSettings("ben", "UTC"))
    await store.close()
    store = await place.open()
    assert await store.notification_settings.of("anna") == ANNAS
    await store.notification_settings.forget("anna")
    assert await store.notification_settings.of("anna") == NotificationSettings("anna")
    assert await store.notification_settings.of("ben") == NotificationSettings("ben", "UTC")
