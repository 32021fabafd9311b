"""What real model servers refuse, API by API."""
