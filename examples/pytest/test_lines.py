import pytest
from sandbox import Listener, call, log_in

ACCOUNT = "0000700001-00001"
IMEI = "990000000000011"


@pytest.fixture
def listener():
    listener = Listener()
    yield listener
    listener.server.shutdown()


def test_a_line_that_uses_more_than_4_mb_in_a_month_is_reported(listener):
    user = log_in()
    for name in ["CarrierService", "AlertService"]:
        call("POST", f"/m2m/v1/callbacks/{ACCOUNT}", {"name": name, "url": listener.url}, user)

    activation = {
        "accountName": ACCOUNT,
        "devices": [{"deviceIds": [{"id": IMEI, "kind": "imei"}]}],
        "servicePlan": "LK-PAYG-5MB",
        "mdnZipCode": "76051",
    }
    request_id = call("POST", "/m2m/v1/devices/actions/activate", activation, user)["requestId"]
    activated = listener.wait_for(lambda payload: payload["requestId"] == request_id)
    assert activated["status"] == "Success"

    now = call("POST", "/operator/v1/clock", {"advance": "P30D"})["now"]
    record = {"id": "usage-1", "kind": "imei", "device": IMEI, "at": now, "bytes": 5_000_000}
    call("POST", "/operator/v1/usage", [record])

    alert = listener.wait_for(lambda payload: "alertServiceResponse" in payload["deviceResponse"])
    assert alert["deviceResponse"]["alertServiceResponse"]["triggerName"] == "Truck beyond 4 MB"
    mails = call("GET", "/operator/v1/mail")
    assert "ada.thornbury@larkmoor.example" in mails[0]["to"]

    # Where nobody listens, the service's log still has what it would have sent.
    log = call("GET", f"/operator/v1/callbacks?accountName={ACCOUNT}&serviceName=AlertService")
    assert [delivery["serviceName"] for delivery in log] == ["AlertService"]
