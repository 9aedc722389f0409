"""Games that come from elsewhere: read in, judged, found whole."""
