/* The document's evidence: for each memory instruction of a launch the recorded access that costs most,
 * in words and as a picture. */
#include "report/document.h"

static json_t *evidence_of(Document *document, const LaunchView *view, const SiteEvidence *site) {
    const Profile *profile = document->report->profile;
    const AccessPattern *worst = site->worst;
    Picture picture;
    if (!worst)
        return json_null();
    bool banks = picture_banks(profile, worst, &picture);
    json_t *evidence =
        json_pack("{s:o,s:o,s:I,s:I}", "words",
                  document_text(document->arena, words_access(document->arena, profile, worst)),
                  "stride", worst->affine ? json_integer(worst->stride) : json_null(), "recorded",
                  (json_int_t)site->recorded, "alike", (json_int_t)site->alike);
    json_object_set_new(evidence, "banks",
                        document_index(banks ? document_picture(document, &picture, true) : NONE));
    json_object_set_new(evidence, "fixes",
                        banks ? document_fixes(document, view, &picture) : json_array());
    bool sectors = picture_sectors(profile, worst, &picture);
    json_object_set_new(
        evidence, "sectors",
        document_index(sectors ? document_picture(document, &picture, false) : NONE));
    return evidence;
}

json_t **document_evidence(Document *document, const LaunchView *view) {
    uint32_t count = view->kernel->site_count;
    const SiteEvidence *sites =
        evidence_of_sites(document->arena, document->report->profile, view->number);
    json_t **evidence = NEW_ARRAY(document->arena, json_t *, count);
    document_find_fixes(document, view);
    for (uint32_t i = 0; i < count; i++)
        evidence[i] = evidence_of(document, view, &sites[i]);
    return evidence;
}
