"""Fairy-Stockfish for the tests, with the variants that it can play but has not built in.

pyffish crashes the whole process when it is asked about a variant it does not know: ask PLAYABLE first.
"""

import pyffish

pyffish.load_variant_config(
    """
    [grandhouse:grand]
    startFen = r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R[] w - - 0 1
    pieceDrops = true
    capturesToHand = true

    [shogun:crazyhouse]
    startFen = rnb+fkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB+FKBNR[] w KQkq - 0 1
    commoner = c
    centaur = g
    archbishop = a
    chancellor = m
    fers = f
    promotedPieceType = p:c n:g b:a r:m f:q
    promotionPieceTypes = -
    promotionLimit = g:1 a:1 m:1 q:1
    promotionRegionWhite = *6 *7 *8
    promotionRegionBlack = *3 *2 *1
    mandatoryPawnPromotion = false
    immobilityIllegal = true
    firstRankPawnDrops = true
    promotionZonePawnDrops = true
    whiteDropRegion = *1 *2 *3 *4 *5
    blackDropRegion = *4 *5 *6 *7 *8
    """.replace("    ", "")
)

PLAYABLE = frozenset(pyffish.variants())
